"""The words that are asked back with: what `resources/language/LANGUAGE_asking.toml` holds."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases


class Offered(Struct, frozen=True, forbid_unknown_fields=True):
    """A choice of a clarifying question: its label and the request that it stands for, both with names of parts in
    braces ("{part}").

    It is not offered where the song lacks such a part, or where it has the part `absent`.
    """

    label: str
    request: str
    absent: str = ""


Turn = Annotated[tuple[Offered, ...], Meta(min_length=4)]


class Completion(Struct, frozen=True, forbid_unknown_fields=True):
    """The question for an incomplete order with the word `cue` ("transpose"), and the `ends` that complete it ("up a
    semitone")."""

    cue: str
    question: str
    ends: Phrases


class AskingWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The choices of clarifying questions, in several sets that are offered in `turns` for a song, for one of its
    `parts`, and for what can be `added`. `completions` are questions for incomplete orders.

    `keep` is appended to a choice for each `{what}` that has to stay; `start_over` wraps the `{request}` for a new
    piece in place of the song. `likening` are words that make the name beside them a direction: like, vibe.
    """

    keep: str
    start_over: str
    likening: Annotated[tuple[str, ...], Meta(min_length=1)]
    turns: Annotated[tuple[Turn, ...], Meta(min_length=2)]
    parts: Annotated[tuple[Turn, ...], Meta(min_length=2)]
    added: Annotated[tuple[Turn, ...], Meta(min_length=2)]
    completions: tuple[Completion, ...] = ()

"""The words that are asked back with: what `resources/language/LANGUAGE_asking.toml` holds."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases


class Offered(Struct, frozen=True, forbid_unknown_fields=True):
    """A choice and the request that it stands for, with names of the song in braces.

    It is passed over where the song has no such name, or has what is `absent` of it.
    """

    label: str
    request: str
    absent: str = ""


Turn = Annotated[tuple[Offered, ...], Meta(min_length=4)]


class Completion(Struct, frozen=True, forbid_unknown_fields=True):
    """What an order with the word `cue` needs: the `question` for it, and the `ends` that complete what was said."""

    cue: str
    question: str
    ends: Phrases


class AskingWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Lists of choices, which take `turns` for a song, and for `parts` of it; and what can be `added` to one.

    `keep` stands behind a choice for each `{what}` that is to stay, and `start_over` is the `{request}` for another
    piece in the place of the song.
    """

    keep: str
    start_over: str
    turns: Annotated[tuple[Turn, ...], Meta(min_length=2)]
    parts: Annotated[tuple[Turn, ...], Meta(min_length=2)]
    added: Annotated[tuple[Turn, ...], Meta(min_length=2)]
    completions: tuple[Completion, ...] = ()

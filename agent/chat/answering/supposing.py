"""A part that a question supposes to be moved: "if I take the alto down an octave"."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.chat.context import Context
from agent.chat.messages import Question
from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PhraseList
from agent.chat.reading.sentences import plain_tokens
from agent.song.ids import TrackId

_NEAR = 3
"""Tokens between an interval and the word that says up or down."""
_OCTAVES = {"an_octave": 12, "two_octaves": 24}


class SupposedMove(Struct, frozen=True):
    """A part that is supposed to sound so many semitones higher (below 0 lower); `track` is None where the words do not
    tell which part, or by which interval."""

    track: TrackId | None
    semitones: int = 0


def supposed_move(question: Question, context: Context, language: Language) -> SupposedMove | None:
    """The move that a question supposes; None where it supposes none."""
    tokens = plain_tokens(question.words, language)
    if _find(tokens, "supposing", language) is None:
        return None
    for group in ("two_octaves", "an_octave", "some_interval"):
        found = _find(tokens, group, language)
        sign = _direction(tokens, *found, language) if found is not None else 0
        if found is not None and sign:
            track = _nearest(tokens, found[0], question, context, language)
            known = track is not None and group in _OCTAVES
            return SupposedMove(track, sign * _OCTAVES[group]) if known else SupposedMove(None)
    return None


def _direction(tokens: Sequence[str], at: int, length: int, language: Language) -> int:
    """1 for up, -1 for down, by the words around an interval, the nearest before those behind it; 0 for none."""
    after, before = tokens[at + length :][:_NEAR], tokens[max(at - _NEAR, 0) : at]
    for token in (*reversed(before), *after):
        for group, sign in (("lowered", -1), ("raised", 1)):
            if token in PhraseList(language.words.groups[group]):
                return sign
    return 0


def _nearest(
    tokens: Sequence[str], at: int, question: Question, context: Context, language: Language,
) -> TrackId | None:
    """Of the parts that a question names, the one whose name stands nearest to a token."""
    tracks = [track for track in context.song.tracks if track.id in question.about.tracks]
    if len(tracks) == 1:
        return tracks[0].id
    places = {
        abs(found[0] - at): track.id for track in tracks
        if (found := PhraseList([" ".join(plain_tokens(track.name, language))]).find(tokens)) is not None
    }
    return places[min(places)] if places else None


def _find(tokens: Sequence[str], group: str, language: Language) -> tuple[int, int] | None:
    return PhraseList(language.words.groups[group]).find(tokens)

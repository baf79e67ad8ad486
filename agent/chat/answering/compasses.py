"""Whether a part lies within the range of a voice or an instrument that a question names, or goes beyond a pitch."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from agent.chat.answering.asked import words_of
from agent.chat.answering.wording import counted, places, spelled
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PhraseList
from agent.chat.reading.sentences import plain_tokens
from agent.chat.vocabulary import Compass
from agent.song.ids import TrackId
from agent.song.track import Track
from agent.theory.melody import melody_track
from agent.theory.pitch import pitch, pitch_name
from agent.theory.sounding import Sounding, family_tracks, kit_tracks, sounding

_PITCH = re.compile(r"\b([a-g])(?: ?(#|♯|♭|b|sharp|flat))?(\d)\b")
_LOW_STRING = re.compile(r"\b(?:open|low) ([a-g])\b")
_SIGNS = {"": "", "#": "#", "♯": "#", "sharp": "#", "♭": "b", "b": "b", "flat": "b"}
_UNDER = frozenset({"below", "under", "beneath", "lower", "deeper"})
_OVER = frozenset({"above", "over", "higher", "past", "beyond"})
_YES_OR_NO = frozenset({
    "is", "are", "can", "could", "would", "will", "does", "do", "did", "should", "might", "too", "or", "fit", "fits",
})
_OPEN = {"bass": 28, "guitar": 40}
"""The open low string by family."""


class _Limits(Struct, frozen=True):
    """The lowest and the highest pitch that are allowed, and how they are told; None for no limit."""

    low: int | None
    high: int | None
    low_said: str = ""
    high_said: str = ""
    whole: str = ""


def compass_verdict(question: Question, context: Context, language: Language) -> str:
    """The sentence that says whether the asked part stays within a named range or pitch; "" where a question names
    none, or asks for no yes or no."""
    words = words_of(question.words)
    for_figure = question.words.casefold().startswith(("how", "what", "which")) and "too" not in words
    if for_figure or not words & _YES_OR_NO:
        return ""
    compass = _compass(question, language)
    track = _track(question, context, compass)
    limits = None if track is None else _limits(question, context, compass, track)
    notes = [] if track is None else _notes(question, context, track)
    if track is None or limits is None or not notes:
        return ""
    low, high = min(note.pitch for note in notes), max(note.pitch for note in notes)
    under = limits.low is not None and low < limits.low
    over = limits.high is not None and high > limits.high
    return _said(question, context, track, limits, (low, high), (under, over))


def _said(
    question: Question, context: Context, track: Track, limits: _Limits, ends: tuple[int, int],
    beyond: tuple[bool, bool],
) -> str:
    words, key = words_of(question.words), context.song.key
    low, high = (spelled(pitch_name(one, key)) for one in ends)
    lower, upper = bool(words & _UNDER), bool(words & _OVER)
    if lower != upper and (limits.low if lower else limits.high) is not None:
        out = beyond[0] if lower else beyond[1]
        side, limit = ("below", limits.low_said) if lower else ("above", limits.high_said)
        end = f"the lowest note of {track.name} is {low}" if lower else f"the highest note of {track.name} is {high}"
        return f"{'Yes, it goes' if out else 'No, it does not go'} {side} {limit}: {end}."
    if not limits.whole:
        return ""
    too = "too" in words and "can" not in words and "could" not in words
    if not any(beyond):
        return f"{'No' if too else 'Yes'}: {track.name} goes from {low} to {high}, within {limits.whole}."
    faults = []
    if beyond[0] and limits.low is not None:
        faults.append(f"its {low} lies {counted(limits.low - ends[0], 'semitone')} below {limits.low_said}")
    if beyond[1] and limits.high is not None:
        faults.append(f"its {high} lies {counted(ends[1] - limits.high, 'semitone')} above {limits.high_said}")
    return f"{'Yes' if too else 'No, not as it is'}: {track.name} goes from {low} to {high}; {' and '.join(faults)}."


def _compass(question: Question, language: Language) -> Compass | None:
    """The range whose words hold most of the question; of equals the one that is named last."""
    tokens = plain_tokens(question.words, language)
    found = [
        (length, at, one) for one in language.words.compasses for phrases in (PhraseList(one.words),)
        for at in range(len(tokens)) if (length := phrases.at(tokens, at))
    ]
    return max(found, key=lambda one: one[:2])[2] if found else None


def _track(question: Question, context: Context, compass: Compass | None) -> Track | None:
    """The part that is asked about: that which is named and is no word of the range, else the tune."""
    song = context.song
    kits = kit_tracks(song, context.palette)
    named = [one for one in song.tracks if one.id in question.about.tracks and one.id not in kits]
    said = set(compass.words) if compass is not None else set()
    others = [one for one in named if one.name.casefold() not in said]
    if len(others or named) == 1:
        return (others or named)[0]
    if named:
        return None
    tune = melody_track(song, context.palette)
    return None if tune is None else song.track(tune)


def _limits(question: Question, context: Context, compass: Compass | None, track: Track) -> _Limits | None:
    plain = question.words.casefold()
    if (one := _PITCH.search(plain)) is not None:
        named = pitch(f"{one[1].upper()}{_SIGNS[one[2] or '']}{one[3]}")
        said = spelled(pitch_name(named, context.song.key))
        return _Limits(named, named, said, said)
    if compass is not None:
        low, high = pitch(compass.low), pitch(compass.high)
        bottom = "the lowest open string" if compass.string else "the usual bottom"
        low_said, high_said = spelled(pitch_name(low)), spelled(pitch_name(high))
        name = _article(compass.name)
        whole = f"the usual range of {name} ({low_said}–{high_said})"
        return _Limits(low, high, f"{low_said}, {bottom} of {name}", f"{high_said}, the usual top of {name}", whole)
    if _LOW_STRING.search(plain) is not None and (family := _family(context, track.id, _OPEN)):
        low = _OPEN[family]
        said = spelled(pitch_name(low))
        return _Limits(low, None, f"{said}, the lowest open string of a {family}")
    return None


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _family(context: Context, track: TrackId, families: Iterable[str]) -> str:
    return next((one for one in families if track in family_tracks(context.song, context.palette, one)), "")  # type: ignore[arg-type]


def _notes(question: Question, context: Context, track: Track) -> list[Sounding]:
    spans = [context.song.bar_map.span(first, last) for _, first, last in places(question.about, context.song)]
    return [
        note for note in sounding(context.song, {track.id})
        if not spans or any(start <= note.start < end for start, end in spans)
    ]

"""The judgement that a question asks for, by facts: slow enough for what, within whose range, long enough or not."""

from __future__ import annotations

from msgspec import Struct

from agent.chat.answering.asked import amounts, words_of
from agent.chat.answering.compasses import compass_verdict
from agent.chat.answering.wording import minutes, number
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PhraseList
from agent.chat.reading.sentences import plain_tokens

_SLOW = frozenset({"slow", "slowly", "calm", "gentle", "relaxed", "relaxing", "soothing"})
_FAST = frozenset({"fast", "quick", "quickly", "lively", "brisk", "energetic", "uptempo", "speedy", "rushed"})
_JUDGES = frozenset({"enough", "too", "close", "right", "suit", "suitable", "good", "ok", "okay", "work", "works"})
_SLOW_TO, _FAST_FROM = 92, 120
"""BPM up to which music is on the slow side, and from which on the fast side."""
_HALVED = 112
"""Tempo from which on many people feel a song at half of it."""


def verdict(question: Question, context: Context, language: Language) -> str:
    """The sentence that judges what the words ask to be judged; "" where they ask for no judgement."""
    if not context.song.note_count:
        return ""
    match question.topic:
        case "tempo" | "character" | "style" | "meter":
            return _of_pace(question, context, language)
        case "lowest" | "highest" | "range" | "difficulty" | "melody" | "polyphony":
            return compass_verdict(question, context, language)
        case "length":
            return _of_length(question, context)
    return ""


class _Range(Struct, frozen=True):
    """A range of tempos and what it is usual for."""

    name: str
    low: float
    high: float


def _of_pace(question: Question, context: Context, language: Language) -> str:
    words = words_of(question.words)
    if words & {"half", "halftime", "double"} and words & {"time", "halftime", "speed", "tempo"}:
        factor, name = (2.0, "double time") if "double" in words else (0.5, "half time")
        return f"In {name} it is felt as {number(context.song.bpm * factor)} BPM."
    slow, fast = bool(words & _SLOW), bool(words & _FAST)
    usual = _pace(question, context, language)
    if not words & _JUDGES or (slow and fast) or (usual is None and not (slow or fast)):
        return ""
    bpm, too = context.song.bpm, "too" in words
    half = f" In half time it is felt as {number(bpm / 2)}." if bpm >= _HALVED and (slow or too) else ""
    if usual is None:
        side = "on the slow side" if bpm <= _SLOW_TO else "on the fast side" if bpm >= _FAST_FROM else ""
        meets = side == f"on the {'slow' if slow else 'fast'} side"
        opening = "It is in between" if not side else ("Perhaps" if too else "Yes") if meets else "No"
        return f"{opening}: {number(bpm)} BPM is {side or 'neither slow nor fast'} by the metronome.{half}"
    place = "within" if usual.low <= bpm <= usual.high else "above" if bpm > usual.high else "below"
    beyond = {"within": False, "above": fast, "below": slow}[place]
    fits = place == "within" or (beyond and not too)
    opening = ("Yes" if beyond else "No") if too else ("Yes" if fits else "No")
    span = f"{number(usual.low)}–{number(usual.high)} BPM"
    said = f"{opening}: {number(bpm)} BPM lies {place} the {span} that are usual for {usual.name}."
    return said if place == "within" else f"{said}{half}"


def _pace(question: Question, context: Context, language: Language) -> _Range | None:
    """The range of what the words name: what people do, or a style."""
    tokens = plain_tokens(question.words, language)
    found = [
        (length, one) for one in language.words.paces for phrases in (PhraseList(one.words),)
        if (length := max((phrases.at(tokens, at) for at in range(len(tokens))), default=0))
    ]
    if found:
        best = max(found, key=lambda pair: pair[0])[1]
        return _Range(best.name, best.low, best.high)
    style = next((one for one in context.program.styles if one.name in question.about.styles and one.tempo), None)
    return None if style is None or style.tempo is None else _Range(style.label, *style.tempo)


def _of_length(question: Question, context: Context) -> str:
    """Whether the song is as long as the words want it."""
    words = words_of(question.words)
    wanted = [value for value, unit in amounts(question.words) if unit == "s"]
    if not wanted or not words & {"enough", "too", "fit", "fits"} or question.about.sections or question.about.bars:
        return ""
    song = context.song
    seconds, need = song.tempo_map.seconds(song.end), min(wanted)
    over = seconds - need
    said = f"it lasts {minutes(seconds)}, {abs(over):.1f} s {'more' if over >= 0 else 'less'} than {minutes(need)}."
    longer = over >= 0
    yes = longer if not words & {"too"} or "long" in words else not longer
    return f"{'Yes' if yes else 'No'}: {said}"

"""How often the song, or a part of its form, goes round in a given time, and how long it lasts at another tempo."""

from __future__ import annotations

import re

from msgspec.structs import replace

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked import amounts, words_of
from agent.chat.answering.wording import counted, links_to, minutes, number, places_heard
from agent.chat.context import Context
from agent.chat.messages import Question

_TEMPO = re.compile(
    r"(?:= ?|\bat |@ ?|\bto |\btempo (?:of )?)(\d{2,3}(?:\.\d{1,3})?)\b"
    r"(?! ?(?:s|secs?|seconds?|m|mins?|minutes?|bars?)\b)|(?<!\d)(\d{2,3}(?:\.\d{1,3})?) ?(?:bpm|beats)\b"
)
_FACTORS = {"half": 0.5, "twice": 2.0, "double": 2.0, "doubled": 2.0, "halved": 0.5}
_SPEEDS = frozenset({"speed", "tempo", "fast", "slow", "time", "pace"})


def rounds(context: Context, question: Question) -> Answer:
    """An answer with how many times the named place (none: the song) goes round in the time that the words state, or
    how long it lasts at the tempo that they name; without either, how long a round is."""
    song = context.song
    if not song.bars:
        return Answer("The song is empty, so a round has no length yet.", (Fact("length", 0, "bars"),))
    about = question.about
    named = replace(about, bars=None, moment=None) if about.moment is not None or about.sections else about
    where = places_heard(named, song)
    name, first, last = where[0] if where else ("the song", 1, song.bars)
    start, end = song.bar_map.span(first, last)
    once = song.tempo_map.seconds(end) - song.tempo_map.seconds(start)
    now = song.tempo_map.prevailing(start, end)
    wanted = _tempo(question.words, now)
    facts = [Fact("round", round(once, 2), "s"), Fact("bars", last - first + 1, "bars")]
    text = ""
    if wanted is not None:
        other = once * now / wanted
        facts += [Fact("tempo", wanted, "BPM"), Fact("duration", round(other, 1), "s")]
        beats = song.bar_map.meter_at(start).beats * (last - first + 1)
        text = (
            f"At {number(wanted)} BPM {name} would last {_long(other)}, once through its {beats} beats; at its own "
            f"{number(now)} BPM it lasts {_long(once)}. The tempo is not changed. "
        )
        once = other
    times = [seconds for seconds, unit in amounts(question.words) if unit == "s" and seconds > 0]
    if times:
        text += _fitting(name, once, times[0], facts)
    elif wanted is None:
        text = f"One round of {name} ({counted(last - first + 1, 'bar')}) lasts {_long(once)}; say how long it has to "
        text += f"last, and I count the rounds. In 5 minutes it comes round {number(300 / once)} times."
    return Answer(f"{text.strip()} Reckoned from bars and tempo, without the tail of the last notes.", tuple(facts),
                  links_to([(first, last)]))


def _fitting(name: str, once: float, time: float, facts: list[Fact]) -> str:
    whole = int(time / once + 1e-6)
    left = time - whole * once
    facts += [Fact("rounds", whole, "times"), Fact("exactly", round(time / once, 2), "times")]
    if whole == 0:
        return f"Not once: {name} lasts {_long(once)}, which is {_long(once - time)} more than {_time(time)}."
    rest = f" and {_long(left)} of the next" if left >= 0.5 else ", and no more"
    said = "once" if whole == 1 else f"{whole} times"
    return (
        f"{said[:1].upper()}{said[1:]} in full{rest} ({number(time / once)} rounds) fit in {_time(time)}: one round of "
        f"{name} lasts {_long(once)}."
    )


def _tempo(words: str, now: float) -> float | None:
    """The tempo that the words name, in BPM, also as half or twice the one of now."""
    plain = words.casefold()
    found = [float(one[1] or one[2]) for one in _TEMPO.finditer(plain)]
    usable = [tempo for tempo in found if 20 <= tempo <= 400 and tempo != now]
    if usable:
        return usable[-1]
    said = words_of(plain)
    factor = next((value for word, value in _FACTORS.items() if word in said), None)
    return now * factor if factor is not None and _SPEEDS & said else None


def _time(seconds: float) -> str:
    """A time as it was asked for: 5:00, 40 s."""
    return f"{number(seconds)} s" if seconds < 60 else minutes(seconds)


def _long(seconds: float) -> str:
    """A length as 1:08, with its seconds where that is short."""
    return f"{seconds:.1f} s" if seconds < 60 else f"{minutes(seconds)} ({seconds:.1f} s)"

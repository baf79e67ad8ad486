"""How many bars, beats or eights lie before a place, and in the whole."""

from __future__ import annotations

import re

from agent.chat.answer import Answer, BarsLink, Fact
from agent.chat.answering.wording import clock_at, counted, number, places
from agent.chat.context import Context
from agent.chat.messages import About, Question
from agent.song.song import Song

_EIGHTS = re.compile(r"\b(?:8 ?'?s|eights|8[- ]counts?|counts? of (?:8|eight)|eight[- ]counts?)\b")
_HOW_MANY = re.compile(r"\b(?:how (?:many|long)|bars?)\b")
_BEFORE = re.compile(r"\b(?:before|until|till|til|up to|lead(?:s|ing)? (?:in)?to)\b")
_EIGHT = 8


def asks_before(question: Question) -> bool:
    """Whether it asks how much lies before a section that it names."""
    plain = question.words.casefold()
    asked = _HOW_MANY.search(plain)
    return bool(question.about.sections) and asked is not None and _BEFORE.search(plain, asked.end()) is not None


def asks_eights(question: Question) -> bool:
    """Whether it asks for a length in counts of eight beats."""
    return _EIGHTS.search(question.words.casefold()) is not None


def before(context: Context, question: Question) -> Answer:
    """An answer with the bars, the time and, if asked, the eights before the first of the named sections."""
    song = context.song
    name, first, _ = places(About(sections=question.about.sections), song)[0]
    bars = first - 1
    title = name.partition(" (")[0]
    eights = f", that is {_eights(song, 1, bars)}" if asks_eights(question) and bars else ""
    seconds = song.tempo_map.seconds(song.bar_map.start_of(first))
    text = f"{counted(bars, 'bar')}{eights}: {title} begins at bar {first} ({clock_at(song, first)})."
    facts = (Fact(f"bars before {title}", bars, "bars"), Fact(f"seconds before {title}", round(seconds, 1), "s"))
    return Answer(f"{text} As set in the song.", facts, (BarsLink(first, first),))


def eights_of(context: Context, about: About) -> str:
    """The named places, or the song, in counts of eight beats: "46 eights (92 bars of 4 beats)."."""
    song = context.song
    where = places(about, song) or (("", 1, song.bars),)
    said = []
    for name, first, last in where:
        title = f"{name.partition(' (')[0]}: " if name else ""
        said.append(f"{title}{_eights(song, first, last)}")
    return f"{'; '.join(said)}."


def _eights(song: Song, first: int, last: int) -> str:
    meters = [song.bar_map.meter_at(song.bar_map.start_of(bar)) for bar in range(first, last + 1)]
    beats = sum(one.beats for one in meters)
    same = len({one.beats for one in meters}) == 1
    of = f" of {meters[0].beats} beats" if same else ""
    return f"{number(beats / _EIGHT)} eights ({counted(last - first + 1, 'bar')}{of})"

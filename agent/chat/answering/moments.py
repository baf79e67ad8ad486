"""What happens at a time of the song: who sounds, over which chord, and the borders near by."""

from __future__ import annotations

from itertools import pairwise

from agent.chat.answering.wording import clock_at, listed, spelled
from agent.chat.context import Context
from agent.song.song import Song
from agent.theory.chords import chord_symbol
from agent.theory.harmony import bar_chords
from agent.theory.sounding import percussive_tracks, sounding

_PHRASE = 4
"""Bars of a phrase within a section."""


def sounding_at(context: Context, tick: int) -> str:
    """A sentence with the parts that sound in the bar of a tick, and its chord."""
    song = context.song
    bar = song.bar_map.bar_at(tick)
    start, end = song.bar_map.span(bar, bar)
    heard = {note.track for note in sounding(song) if note.start < end and note.end > start}
    names = listed(track.name for track in song.tracks if track.id in heard)
    if not names:
        return "Nothing sounds in that bar."
    chord = next(iter(bar_chords(song, percussive_tracks(song, context.palette))[bar - 1 : bar]), None)
    over = f", over {spelled(chord_symbol(chord, song.key))}" if chord is not None else ""
    return f"In that bar {names} sound{'' if len(heard) > 1 else 's'}{over}."


def borders(song: Song, seconds: float, beyond: float) -> str:
    """A sentence with the border of a section that is nearest to a time, and that of four bars if it is nearer; ""
    where a section begins within `beyond` seconds."""
    begins = {song.bar_map.bar_at(one.start): one.name for one in song.sections}
    ends = song.bars + 1
    firsts = sorted({*begins, ends} if begins else {1, ends})
    phrases = [
        bar for first, after in pairwise(firsts) for bar in range(first, after, _PHRASE)
    ]

    def away(bar: int) -> float:
        return abs(song.tempo_map.seconds(song.bar_map.start_of(bar)) - seconds)

    def said(bar: int) -> str:
        if bar == ends:
            return f"the end ({clock_at(song, bar)})"
        name = f"the beginning of {begins[bar]}" if bar in begins else "a border of four bars"
        return f"{name}, bar {bar} ({clock_at(song, bar)})"

    section = min(firsts, key=away)
    phrase = min([*phrases, ends], key=away)
    if not begins:
        return f"The nearest border is {said(phrase)}."
    if away(section) <= beyond:
        return ""
    nearer = f"; nearer, but inside a section, is {said(phrase)}" if away(phrase) < away(section) else ""
    return f"The nearest border of a section is {said(section)}{nearer}."

"""How long parts play on without a gap in which a player could breathe."""

from __future__ import annotations

from collections.abc import Sequence

from agent.chat.answer import Answer, Fact
from agent.chat.answering.parts import links_of, named_tracks
from agent.chat.answering.wording import bars_timed, links_to, places
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.sounding import HAIR, Sounding, percussive_tracks, sounding

_BREATH = PPQ // 2
"""Ticks of silence from which on a gap is a rest in which one can breathe: less only parts the notes."""
_MOST = 24
_Span = tuple[int, int]


def unbroken(context: Context, about: About) -> Answer:
    """An answer with the longest run of each named part (none: of all, the longest first) without a rest of an eighth,
    of percussion without a silent bar, in the named places or the song: its bars, times and seconds."""
    song = context.song
    spans = [song.bar_map.span(first, last) for _, first, last in places(about, song)]
    drums = percussive_tracks(song, context.palette)
    found = []
    for track in named_tracks(context, about):
        notes = [
            note for note in sounding(song, {track.id})
            if not spans or any(start <= note.start + HAIR < end for start, end in spans)
        ]
        if notes:
            found.append((track, _longest(song, notes, struck=track.id in drums), track.id in drums))
    if not found:
        return Answer("Nothing is played there.", (Fact("notes", 0),))
    if not about.tracks:
        found.sort(key=lambda one: -_seconds(song, one[1]))
    texts, facts, bars = [], [], []
    for track, run, struck in found[:_MOST]:
        at = song.bar_map.bar_at
        bars.append((at(run[0] + HAIR), max(at(run[0] + HAIR), at(max(run[1] - 1 - HAIR, 0)))))
        gap = "a bar of silence" if struck else "a rest of an eighth"
        length = f"{_seconds(song, run):.1f} s"
        texts.append(f"{track.name} plays on without {gap} for {length} at most, in {bars_timed(song, *bars[-1])}")
        facts += [
            Fact(f"{track.name} longest run", round(_seconds(song, run), 1), "s"),
            Fact(f"{track.name} longest run from", bars[-1][0], "bar"),
        ]
    links = (*links_of([track for track, _, _ in found[:_MOST]]), *links_to(bars[:8]))
    return Answer(f"{'; '.join(texts)}. Counted from the notes.", tuple(facts), links)


def _longest(song: Song, notes: Sequence[Sounding], *, struck: bool) -> _Span:
    """The longest stretch in seconds in which no gap is a rest."""
    runs: list[_Span] = []
    for note in notes:
        rest = song.bar_map.meter_at(note.start).bar_length if struck else _BREATH
        if runs and note.start - runs[-1][1] < rest:
            runs[-1] = (runs[-1][0], max(runs[-1][1], note.end))
        else:
            runs.append((note.start, note.end))
    return max(runs, key=lambda run: (_seconds(song, run), -run[0]))


def _seconds(song: Song, run: _Span) -> float:
    return song.tempo_map.seconds(run[1]) - song.tempo_map.seconds(run[0])

"""Why it may sound muddy, or empty: what can be counted, and what to ask for."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from agent.chat.answer import Answer, Fact, Link, TrackLink
from agent.chat.answering.wording import bars_said, counted, links_to, listed, number, places
from agent.chat.context import Context
from agent.chat.messages import About
from agent.theory.mixing import REVERBS
from agent.theory.sounding import Sounding, kit_tracks, sounding

_LOW = 52
"""MIDI pitch below which notes of two parts that lie close blur."""
_NEAR = 7


def muddy(context: Context, about: About) -> Answer:
    """An answer with the two parts that collide most often in the low register, in the named place or the song."""
    song = context.song
    start, end, place = _where(context, about)
    kits = kit_tracks(song, context.palette)
    low = {
        track: [note for note in sounding(song, {track.id}) if note.pitch < _LOW and start <= note.start < end]
        for track in song.tracks if track.id not in kits and not track.mute
    }
    meetings = {(one, other): _meet(low[one], low[other]) for one, other in combinations(low, 2)}
    pair = max(meetings, key=lambda two: len(meetings[two]), default=None)
    wet = [track.name for track in song.tracks if any(one.name in REVERBS and one.enabled for one in track.effects)]
    if pair is None or not meetings[pair]:
        text = f"From the notes I cannot say why{place}: no two parts lie close together in the low register."
        has = "has" if len(wet) == 1 else "have"
        more = f" {listed(wet)} {has} a reverb, which can blur; ask for “less reverb”." if wet else ""
        return Answer(f"{text}{more} Counted from the notes.", (Fact("low meetings", 0),))
    one, other = pair
    bars = sorted({song.bar_map.bar_at(note.start) for note in meetings[pair]})
    notes = counted(len(meetings[pair]), "note")
    text = (
        f"Most likely because {one.name} and {other.name} lie close together in the low register{place}: {notes} in "
        f"{counted(len(bars), 'bar')}, first in bar {bars[0]}. Counted from the notes. To make room, ask for "
        f"“{one.name} an octave higher”, “{other.name} quieter” or “less reverb”."
    )
    parts = (TrackLink(one.id, one.name), TrackLink(other.id, other.name))
    links: tuple[Link, ...] = (*parts, *links_to([(bars[0], bars[0])]))
    return Answer(text, (Fact("low meetings", len(meetings[pair])),), links)


def empty(context: Context, about: About) -> Answer:
    """An answer with the parts that play and rest in the named place, and its number of notes relative to the fullest
    bars."""
    song = context.song
    start, end, _ = _where(context, about)
    heard = sounding(song)
    here = {note.track for note in heard if note.start < end and note.end > start}
    playing = [track for track in song.tracks if track.id in here]
    resting = [track for track in song.tracks if track.id not in here]
    bars = Counter(song.bar_map.bar_at(note.start) for note in heard)
    first, last = song.bar_map.bar_at(start), song.bar_map.bar_at(end - 1)
    mean = sum(bars[bar] for bar in range(first, last + 1)) / max(1, last - first + 1)
    fullest = max(bars.values(), default=0)
    where = bars_said(first, last)
    rest = f"; {listed(track.name for track in resting)} {'rests' if len(resting) == 1 else 'rest'}" if resting else ""
    plays = "plays" if len(playing) < 2 else "play"
    text = (
        f"In {where} {listed(track.name for track in playing) or 'nobody'} {plays}{rest}. That is {number(mean)} notes "
        f"a bar, where the fullest bar of the song has {fullest}. Counted from the notes. "
    )
    fill = f"bring {resting[0].name} in at bar {first}" if resting else "fuller"
    offer = f"To fill it, ask for “{fill}”"
    facts = (Fact("parts playing", len(playing)), Fact("notes a bar", round(mean, 1)))
    links: tuple[Link, ...] = (*links_to([(first, last)]), *(TrackLink(track.id, track.name) for track in playing[:4]))
    return Answer(f"{text}{offer} or “add strings in {where}”.", facts, links)


def _where(context: Context, about: About) -> tuple[int, int, str]:
    """The ticks that are meant, and the place in words."""
    song = context.song
    where = places(about, song)
    if not where:
        return 0, max(int(song.end), 1), ""
    start, _ = song.bar_map.span(where[0][1], where[0][2])
    _, end = song.bar_map.span(where[-1][1], where[-1][2])
    return int(start), int(end), f" in {listed(name for name, _, _ in where)}"


def _meet(one: list[Sounding], other: list[Sounding]) -> list[Sounding]:
    """The notes of one part during which a note of the other sounds near by."""
    return [
        note for note in one
        if any(
            two.start < note.end and note.start < two.end and 0 < abs(two.pitch - note.pitch) <= _NEAR for two in other
        )
    ]


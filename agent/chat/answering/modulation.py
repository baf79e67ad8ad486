"""Whether the song leaves its key, where and to which, and what is only a touch of another."""

from __future__ import annotations

from collections.abc import Sequence

from agent.chat.answer import Answer, BarsLink, Fact
from agent.chat.answering.harmony import chords
from agent.chat.answering.wording import bars_said, called, links_to, listed, places, places_heard, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.key import Key
from agent.theory.cadences import Cadence, cadences
from agent.theory.chords import chord_symbol
from agent.theory.harmony import chords_known
from agent.theory.modulation import Stay, Tonicised, outside, stays, tonicised
from agent.theory.pitch import class_name, pitch_name
from agent.theory.sounding import Sounding, percussive_tracks, pitched

_MOST = 4
_FEW_BARS = 16
"""Bars of a place whose chords are told with it."""


def modulation(context: Context, about: About) -> Answer:
    """An answer that says whether the song, or the named places, leave the song's key: for which keys, how settled
    they are, with the first note outside the key."""
    song = context.song
    kits = percussive_tracks(song, context.palette)
    notes = pitched(song, kits)
    if not notes:
        return Answer("No note with a pitch is played yet, so no key is left.", (Fact("modulations", 0),))
    where = places_heard(about, song)
    if not where and places(about, song):
        return Answer(f"The song ends before that, after bar {song.bars}.", (Fact("modulations", 0),))
    spans = [(first, last) for _, first, last in where]
    known = chords_known(song, kits)
    ends = cadences(song, kits, known)
    found = stays(song, kits, ends, spans)
    settled = [one for one in found if one.settled]
    touched = [
        *_abroad(song.key, [one for one in ends if _in(one.bar, spans)]),
        *_touched(song.key, [one for one in tonicised(song, known) if _in(one.bar, spans)]),
    ][:_MOST]
    here = _within(context, notes, spans)
    first = _first_outside(context, here)
    subject = listed(name for name, _, _ in where)
    if settled:
        said = listed(_stay(one) for one in settled[:_MOST])
        text = f"Yes: {said}. The song is set in {spelled(str(song.key))}.{first}"
    else:
        text = f"No: {_stays(subject, song.key)}{_touches(found, touched, first)}"
    told = f" {chords(context, about).text}" if where and sum(b - a + 1 for a, b in spans) <= _FEW_BARS else ""
    facts = (
        Fact("modulations", len(settled)), *(Fact(bars_said(one.first, one.last), str(one.key)) for one in settled),
        Fact("notes outside the key", len(outside(song, here))),
    )
    links = links_to((one.first, one.last) for one in found[:_MOST]) or tuple(BarsLink(*one) for one in spans)
    return Answer(f"{text}{told or ' Heard from the notes.'}", facts, links)


def _stay(one: Stay) -> str:
    """Bars 9–16 are heard in D minor, settled by A7–Dm in bar 16."""
    by = ""
    if one.by is not None and one.by.before is not None:
        two = "–".join(spelled(chord_symbol(chord, one.key)) for chord in (one.by.before, one.by.last))
        by = f", settled by {two} in bar {one.by.bar}"
    verb = "is" if one.first == one.last else "are"
    return f"{bars_said(one.first, one.last)} {verb} heard in {spelled(str(one.key))}{by}"


def _stays(subject: str, home: Key) -> str:
    key = spelled(str(home))
    return f"{subject} stays in {key}." if subject else f"it stays in {key} from beginning to end."


def _touches(found: Sequence[Stay], touched: Sequence[str], first: str) -> str:
    """What another key is heard of that is no modulation."""
    lean = [f"{bars_said(one.first, one.last)} lean to {spelled(str(one.key))}" for one in found[:_MOST]]
    if not lean and not touched:
        return first or " Every note belongs to that key."
    parts = [*lean, *touched]
    said = listed(parts)
    return f" {said[:1].upper()}{said[1:]}: only tonicisation, as no other key settles.{first}"


def _abroad(home: Key, ends: Sequence[Cadence]) -> list[str]:
    """The cadences that close in another key, by key."""
    bars: dict[str, list[int]] = {}
    for one in ends:
        if one.key.pitch_class != home.pitch_class and one.before is not None:
            two = "–".join(spelled(chord_symbol(chord, one.key)) for chord in (one.before, one.last))
            does = "stops on the dominant of" if one.kind == "half" else "closes in"
            bars.setdefault(f"{two} {does} {spelled(str(one.key))}", []).append(one.bar)
    return [f"{name} in {'bar' if len(at) == 1 else 'bars'} {listed(map(str, at))}" for name, at in bars.items()]


def _touched(home: Key, found: Sequence[Tonicised]) -> list[str]:
    """Every dominant from outside the key with its target once, and the bars of it."""
    bars: dict[str, list[int]] = {}
    for one in found:
        name = " leads to ".join(spelled(chord_symbol(chord, home)) for chord in (one.dominant, one.target))
        bars.setdefault(name, []).append(one.bar)
    said = []
    for name, at in list(bars.items())[:_MOST]:
        more = [f"{len(at) - _MOST} more"] if len(at) > _MOST else []
        said.append(f"{name} in {'bar' if len(at) == 1 else 'bars'} {listed([*map(str, at[:_MOST]), *more])}")
    return said


def _first_outside(context: Context, here: Sequence[Sounding]) -> str:
    song = context.song
    strange = outside(song, here)
    if not strange:
        return ""
    one = strange[0]
    tones = listed(spelled(class_name(pc, song.key)) for pc in dict.fromkeys(note.pitch % 12 for note in strange))
    where = f"bar {song.bar_map.bar_at(one.start)} ({called(song, song.track(one.track))})"
    return (
        f" The first note outside the key is {spelled(pitch_name(one.pitch, song.key))} in {where}; of {len(here):,} "
        f"notes {len(strange):,} lie outside it ({tones})."
    )


def _within(context: Context, notes: Sequence[Sounding], spans: Sequence[tuple[int, int]]) -> Sequence[Sounding]:
    if not spans:
        return notes
    ticks = [context.song.bar_map.span(first, last) for first, last in spans]
    return [note for note in notes if any(start <= note.start < end for start, end in ticks)]


def _in(bar: int, spans: Sequence[tuple[int, int]]) -> bool:
    return not spans or any(first <= bar <= last for first, last in spans)

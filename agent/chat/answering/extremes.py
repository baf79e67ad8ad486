"""The highest and the lowest note of parts, and the bars in which they sound."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agent.chat.answer import Answer, Fact
from agent.chat.answering.parts import links_of, named_tracks
from agent.chat.answering.tunings import tunings_for
from agent.chat.answering.wording import links_to, listed, places, runs_of, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.track import Track
from agent.theory.pitch import pitch_name
from agent.theory.sounding import Sounding, kit_tracks, sounding

_Extreme = Callable[[Iterable[int]], int]
_SHOWN = 6
"""Bars that are named of those in which the note sounds."""


def highest(context: Context, about: About) -> Answer:
    """An answer with the highest note of the named parts (none: of all) in the named place, and the bars in which it
    begins."""
    return _extreme(context, about, "highest", max)


def lowest(context: Context, about: About) -> Answer:
    """An answer with the lowest note of the named parts (none: of all) in the named place, and the bars in which it
    begins; for guitars and basses also with the tuning that it takes."""
    return _extreme(context, about, "lowest", min)


def _extreme(context: Context, about: About, word: str, extreme: _Extreme) -> Answer:
    song = context.song
    kits = kit_tracks(song, context.palette)
    tracks = [track for track in named_tracks(context, about) if track.id not in kits]
    where = places(about, song)
    spans = [song.bar_map.span(first, last) for _, first, last in where]
    found: dict[Track, list[Sounding]] = {}
    for track in tracks:
        here = [
            note for note in sounding(song, {track.id})
            if not spans or any(start <= note.start < end for start, end in spans)
        ]
        if here:
            found[track] = here
    place = f" in {listed(name for name, _, _ in where)}" if where else ""
    if not found:
        return Answer(f"No pitched note is played{place}, so none is the {word}.", (Fact("notes", 0),))
    if not about.tracks:
        best = extreme(note.pitch for notes in found.values() for note in notes)
        found = {track: notes for track, notes in found.items() if any(note.pitch == best for note in notes)}
    texts, facts, bars_of = [], [], []
    for track, notes in found.items():
        pitch = extreme(note.pitch for note in notes)
        bars = sorted({song.bar_map.bar_at(note.start) for note in notes if note.pitch == pitch})
        name = pitch_name(pitch, song.key)
        more = len(bars) - _SHOWN
        said = listed([*map(str, bars[:_SHOWN]), *([f"{more} more"] if more > 0 else [])])
        bar = "bars" if len(bars) > 1 else "bar"
        texts.append(f"the {word} note of {track.name}{place} is {spelled(name)}, in {bar} {said}")
        facts += [Fact(f"{track.name} {word}", name), Fact(f"{track.name} {word} first", bars[0], "bar")]
        bars_of += bars
    text = "; ".join(texts)
    lowest_of = {track: extreme(note.pitch for note in notes) for track, notes in found.items()}
    tuning = tunings_for(lowest_of, context.palette) if extreme is min else ""
    links = (*links_of(tuple(found)), *links_to(runs_of(sorted(set(bars_of)))[:_SHOWN]))
    return Answer(f"{text[0].upper()}{text[1:]}. Counted from the notes. {tuning}".rstrip(), tuple(facts), links)

"""Which notes parts play most."""

from __future__ import annotations

from collections import Counter

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import asked_notes, nothing_asked
from agent.chat.answering.kit_pieces import OTHER, piece_of, usual_keys
from agent.chat.answering.wording import listed, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.ids import TrackId
from agent.theory.pitch import pitch_name
from agent.theory.sounding import Sounding, kit_tracks

_MOST = 12
_SHOWN = 3
"""Pitches that are named of a part."""


def frequent_notes(context: Context, about: About) -> Answer:
    """An answer with the pitches (of a kit the drums) that the named parts (none: all) play most often in the named
    places, each with its count, and on which the part spends most time if that is another."""
    song = context.song
    asked = asked_notes(context, about, "all")
    if not asked.notes:
        return nothing_asked(context, about, "all")
    kits = kit_tracks(song, context.palette)
    texts, facts, bars = [], [], []
    for track, notes in list(asked.notes.items())[:_MOST]:
        names = _names(context, track, notes, kit=track in kits)
        counts = Counter(names[note.pitch] for note in notes)
        (best, count), *others = counts.most_common(_SHOWN)
        then = f", then {listed(f'{name} {many:,}×' for name, many in others)}" if others else ""
        share = f"{count:,} of {len(notes):,} notes"
        texts.append(f"{asked.names[track]} plays {best} most, {share}{then}{_longest(names, notes, best)}")
        facts += [Fact(f"{asked.names[track]} most", best), Fact(f"{asked.names[track]} {best}", count, "notes")]
        bars += sorted({song.bar_map.bar_at(note.start) for note in notes if names[note.pitch] == best})[:1]
    text = "; ".join(texts)
    return Answer(f"{text}{asked.where}. Counted from the notes.", tuple(facts), asked.links(bars))


def _names(context: Context, track: TrackId, notes: tuple[Sounding, ...], *, kit: bool) -> dict[int, str]:
    pitches = {note.pitch for note in notes}
    if not kit:
        return {pitch: spelled(pitch_name(pitch, context.song.key)) for pitch in pitches}
    keys = usual_keys(context.song.track(track), context.palette)
    pieces = {pitch: piece_of(keys.get(pitch, pitch)) for pitch in pitches}
    return {pitch: f"drum {pitch}" if piece is OTHER else f"the {piece.one}" for pitch, piece in pieces.items()}


def _longest(names: dict[int, str], notes: tuple[Sounding, ...], best: str) -> str:
    """The note that is held longest in all, if another is struck most often."""
    held: Counter[str] = Counter()
    for note in notes:
        held[names[note.pitch]] += note.end - note.start
    name, ticks = held.most_common(1)[0]
    share = f"{100 * ticks / max(held.total(), 1):.0f}"
    return "" if name == best or name.startswith(("the ", "drum ")) else f"; longest in all it is on {name}, {share} %"

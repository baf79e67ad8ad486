"""The first and the last notes of parts, as a choir asks for them."""

from __future__ import annotations

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import asked_notes, at_said, nothing_asked
from agent.chat.answering.wording import listed, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.theory.pitch import pitch_name
from agent.theory.sounding import strokes

_MOST = 24


def outer_notes(context: Context, about: About, *, last: bool) -> Answer:
    """An answer with the first (or the last) note or chord of each of the named parts (none: of all) in the named
    places, from the highest part to the lowest, with its bar and beat."""
    song = context.song
    asked = asked_notes(context, about, "pitched")
    if not asked.notes:
        return nothing_asked(context, about, "pitched")
    struck = {track: strokes(notes)[-1 if last else 0] for track, notes in asked.notes.items()}
    order = sorted(struck, key=lambda track: -max(note.pitch for note in struck[track]))[:_MOST]
    by_place: dict[str, list[str]] = {}
    facts = []
    for track in order:
        pitches = sorted(note.pitch for note in struck[track])
        said = "+".join(spelled(pitch_name(pitch, song.key)) for pitch in pitches)
        by_place.setdefault(at_said(song, struck[track][0].start), []).append(f"{asked.names[track]} {said}")
        facts.append(Fact(f"{asked.names[track]} {'last' if last else 'first'}", said))
    told = "; ".join(f"{listed(parts)} in {place}" for place, parts in by_place.items())
    head = f"The {'last' if last else 'first'} notes{asked.where}, from the top: "
    bars = [song.bar_map.bar_at(group[0].start) for group in struck.values()]
    return Answer(f"{head}{told}. Counted from the notes.", tuple(facts), asked.links(bars))

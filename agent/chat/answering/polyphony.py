"""How many notes sound at once, and whether a part plays chords or single notes."""

from __future__ import annotations

from collections.abc import Iterable

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import NotesAsked, asked_notes, at_said, nothing_asked, sentence
from agent.chat.answering.wording import counted, listed
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.sounding import Sounding, kit_tracks, strokes

_MOST = 12


def polyphony(context: Context, about: About) -> Answer:
    """An answer with the most notes that sound at once in the named parts (none: in all together, and in each), and
    where; for named parts also the most that are struck at once, and how much of it is chords."""
    asked = asked_notes(context, about)
    if not asked.notes:
        return nothing_asked(context, about)
    if about.tracks:
        return _of_parts(context.song, asked)
    return _of_all(context, asked)


def most_at_once(notes: Iterable[Sounding]) -> tuple[int, int]:
    """(count, tick): the greatest number of notes that sound at once, and where that begins first; (0, 0) without
    notes. A note that ends where another begins does not sound with it."""
    changes = sorted(change for note in notes for change in ((note.start, 1), (note.end, -1)))
    best = (0, 0)
    now = 0
    for at, change in changes:
        now += change
        if now > best[0]:
            best = (now, at)
    return best


def _of_all(context: Context, asked: NotesAsked) -> Answer:
    song = context.song
    kits = kit_tracks(song, context.palette)
    count, tick = most_at_once(asked.together())
    own: dict[TrackId, int] = {track: most_at_once(notes)[0] for track, notes in asked.notes.items()}
    text = f"At most {counted(count, 'note')} sound at once{asked.where}, first in {at_said(song, tick)}."
    facts = [Fact("most at once", count, "notes")]
    if kits & asked.notes.keys() and len(kits & asked.notes.keys()) < len(asked.notes):
        bare, there = most_at_once(note for note in asked.together() if note.track not in kits)
        text += f" Without the drums {bare}, first in {at_said(song, there)}."
        facts.append(Fact("most at once without drums", bare, "notes"))
    ranked = sorted(own, key=lambda track: -own[track])[:_MOST]
    if len(own) > 1:
        text += f" Of the parts: {listed(f'{asked.names[track]} {own[track]}' for track in ranked)}."
        facts += [Fact(f"most at once, {asked.names[track]}", own[track], "notes") for track in ranked]
    return Answer(f"{text} Counted from the notes.", tuple(facts), asked.links([song.bar_map.bar_at(tick)]))


def _of_parts(song: Song, asked: NotesAsked) -> Answer:
    texts, facts, bars = [], [], []
    for track, notes in asked.notes.items():
        name = asked.names[track]
        groups = strokes(notes)
        largest = max(groups, key=len)
        count, tick = most_at_once(notes)
        chords = sum(len(group) > 1 for group in groups)
        bars += [song.bar_map.bar_at(largest[0].start), song.bar_map.bar_at(tick)]
        struck = f"{name} strikes at most {counted(len(largest), 'note')} at once{asked.where}"
        if len(largest) > 1:
            struck += f", first in {at_said(song, largest[0].start)}"
        ringing = f"; with what still rings, {count} sound together in {at_said(song, tick)}"
        texts.append(f"{struck}{ringing if count > len(largest) else ''}. {_texture(chords, len(groups))}")
        facts += [
            Fact(f"{name} struck at once", len(largest), "notes"), Fact(f"{name} sounding at once", count, "notes"),
            Fact(f"{name} chords", chords), Fact(f"{name} attacks", len(groups)),
        ]
    text = " ".join(sentence(one) for one in texts)
    return Answer(f"{text} Counted from the notes.", tuple(facts), asked.links(bars))


def _texture(chords: int, attacks: int) -> str:
    if not chords:
        return f"All {counted(attacks, 'attack')} are single notes: a line without chords."
    if chords == attacks:
        return f"All {counted(attacks, 'attack')} are chords of two or more notes."
    which = "Mostly chords" if chords > 0.6 * attacks else "Mostly single notes" if chords < 0.4 * attacks else "Both"
    single = f"{attacks - chords:,} a single one"
    return f"{which}: {chords:,} of its {counted(attacks, 'attack')} have two or more notes, {single}."

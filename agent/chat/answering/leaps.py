"""How far parts leap from note to note, and how far they stretch in one stroke and in one beat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import NotesAsked, asked_notes, at_said, bars_listed, nothing_asked, sentence
from agent.chat.answering.note_values import an_interval
from agent.chat.answering.wording import counted, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.pitch import pitch_name
from agent.theory.sounding import Sounding, family_tracks, strokes

FIFTH, _OCTAVE = 7, 12
_REST = 4 * PPQ
"""Ticks of silence after which the next note is no leap but a new beginning."""
_MOST, _SHOWN = 8, 4


class WideInterval(Struct, frozen=True):
    """An interval at a tick: between two notes in a row, or between the outer notes of a stroke or a beat."""

    at: int
    low: int
    high: int
    rises: bool = True

    @property
    def size(self) -> int:
        """Its semitones."""
        return self.high - self.low


def leaps_of(notes: Sequence[Sounding]) -> list[WideInterval]:
    """The intervals from each stroke's top note to the next one's, at the tick of the second, without those over a
    rest of a bar."""
    tops = [max(group, key=lambda note: note.pitch) for group in strokes(notes)]
    return [
        WideInterval(after.start, min(pair), max(pair), rises=after.pitch >= before.pitch)
        for before, after in pairwise(tops)
        if after.start - before.end < _REST and (pair := (before.pitch, after.pitch))
    ]


def stretches_of(notes: Sequence[Sounding]) -> list[WideInterval]:
    """The intervals between the outer notes of each stroke of several notes."""
    return [
        WideInterval(group[0].start, min(pitches), max(pitches))
        for group in strokes(notes) if len(group) > 1 and (pitches := [note.pitch for note in group])
    ]


def beat_spans(notes: Sequence[Sounding]) -> list[WideInterval]:
    """The intervals between the outer notes that begin within each beat."""
    beats: dict[int, list[Sounding]] = {}
    for note in notes:
        beats.setdefault(note.start // PPQ, []).append(note)
    return [
        WideInterval(group[0].start, min(pitches), max(pitches))
        for group in beats.values() if len(group) > 1 and (pitches := [note.pitch for note in group])
    ]


def leaps(context: Context, about: About) -> Answer:
    """An answer with the widest leap of the named parts (none: of each, the widest first), the number of those wider
    than a fifth, and the widest stretch of notes that are struck together; for keyboards also within a beat."""
    song = context.song
    asked = asked_notes(context, about, "pitched")
    if not asked.notes:
        return nothing_asked(context, about, "pitched")
    keyboards = family_tracks(song, context.palette, "piano", "keys", "organ")
    if not about.tracks and len(asked.notes) > 1:
        return _ranked(song, asked)
    texts, facts, bars = [], [], []
    for track, notes in asked.notes.items():
        name = asked.names[track]
        moves, chords = leaps_of(notes), stretches_of(notes)
        texts.append(f"{name}{asked.where}: {_widest(song, moves, 'leap')}")
        facts.append(Fact(f"{name} widest leap", max((one.size for one in moves), default=0), "semitones"))
        if chords:
            texts.append(_widest(song, chords, "stretch of notes struck together"))
            widest = max(one.size for one in chords)
            facts.append(Fact(f"{name} widest stretch", widest, "semitones"))
        else:
            texts.append("it never strikes two notes at once")
        if track in keyboards and (spans := beat_spans(notes)):
            texts.append(_widest(song, spans, "span within one beat"))
        bars += [song.bar_map.bar_at(one.at) for one in (*moves, *chords) if one.size > FIFTH]
    return Answer(
        f"{' '.join(f'{sentence(one)}.' for one in texts)} Counted from the notes.", tuple(facts), asked.links(bars),
    )


def _widest(song: Song, found: Sequence[WideInterval], what: str) -> str:
    if not found:
        return f"there is no {what}"
    widest = max(found, key=lambda one: one.size)
    many = what.replace("leap", "leaps").replace("stretch", "stretches").replace("span", "spans")
    if not widest.size:
        return f"there is no {what}, only repeated notes"
    wide = [one for one in found if one.size > FIFTH]
    octaves = sum(one.size > _OCTAVE for one in found)
    text = f"the widest {what} is {interval_said(song, widest)}, in {at_said(song, widest.at)}"
    if not wide:
        return f"{text}, none is wider than a fifth"
    is_are = "is" if len(wide) == 1 else "are"
    text += f"; {len(wide):,} of {len(found):,} {many} {is_are} wider than a fifth"
    text += f" and {octaves:,} wider than an octave" if octaves else ""
    return f"{text}, in {bars_listed((song.bar_map.bar_at(one.at) for one in wide), _SHOWN)}"


def interval_said(song: Song, one: WideInterval) -> str:
    """An interval with its notes: "an octave (C3 to C4)", from the first to the second."""
    names = [spelled(pitch_name(pitch, song.key)) for pitch in (one.low, one.high)]
    return f"{an_interval(one.size)} ({' to '.join(names if one.rises else names[::-1])})"


def _ranked(song: Song, asked: NotesAsked) -> Answer:
    moves = {track: leaps_of(notes) for track, notes in asked.notes.items()}
    widest = {track: max(found, key=lambda one: one.size) for track, found in moves.items() if found}
    if not widest:
        return Answer(f"No part leaps{asked.where}: none plays two notes in a row.", (Fact("leaps", 0),))
    order = sorted(widest, key=lambda track: -widest[track].size)[:_MOST]

    def told(track: TrackId) -> str:
        wide = sum(one.size > FIFTH for one in moves[track])
        more = f", {counted(wide, 'leap')} wider than a fifth" if wide else ""
        at = at_said(song, widest[track].at)
        return f"{asked.names[track]} {interval_said(song, widest[track])}, {at}{more}"

    most = max(order, key=lambda track: sum(one.size > FIFTH for one in moves[track]))
    first = f"The widest leap{asked.where} is in {told(order[0])}."
    rest = f" Then {'; '.join(told(track) for track in order[1:])}." if len(order) > 1 else ""
    often = f" {asked.names[most]} leaps wide most often." if most != order[0] else ""
    facts = tuple(Fact(f"{asked.names[track]} widest leap", widest[track].size, "semitones") for track in order)
    bars = [song.bar_map.bar_at(widest[order[0]].at)]
    return Answer(f"{first}{rest}{often} Counted from the notes, by the top note of each stroke.", facts,
                  asked.links(bars))

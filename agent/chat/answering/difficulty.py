"""How hard a part is to play, as far as notes tell."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import asked_notes, at_said, nothing_asked, sentence
from agent.chat.answering.fastest import QuickNotes, quickest
from agent.chat.answering.leaps import interval_said, leaps_of, stretches_of
from agent.chat.answering.note_values import value_name
from agent.chat.answering.wording import counted, number, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.key import Key
from agent.song.palette import Family
from agent.song.song import Song
from agent.theory.pitch import class_name, in_scale, pitch_name, signature_class
from agent.theory.sounding import Sounding, kit_tracks, strokes

_SPEEDS = (3.0, 6.0, 9.0)
"""Notes a second above which a part is harder by one step each."""
_OCTAVE, _TENTH = 12, 16
_MANY_LEAPS, _MANY_ACCIDENTALS = 0.1, 0.1
_WORDS = ("easy", "rather easy", "of middling difficulty", "rather hard", "hard")
_KEYBOARDS: frozenset[Family] = frozenset({"piano", "keys", "organ"})
_ONE_PLAYER: frozenset[Family] = _KEYBOARDS | {"guitar", "pluck", "percussion", "bass"}
"""Families in which one person plays all notes of a chord; elsewhere several share them."""
_MOST = 2


class PartDifficulty(Struct, frozen=True):
    """What makes a part hard: a sum of steps, 0 or more, and the reasons in words."""

    steps: int
    reasons: tuple[str, ...]
    speed: float


def difficulty(context: Context, about: About) -> Answer:
    """An answer with an estimate of how hard the named parts (none: the hardest) are, marked as an opinion, and what it
    rests on: quick notes, leaps, stretches, range and accidentals. It names no grade of an examination."""
    song = context.song
    asked = asked_notes(context, about)
    if not asked.notes:
        return nothing_asked(context, about)
    kits = kit_tracks(song, context.palette)
    families = {one.name: one.family for one in context.palette.instruments}
    found = {
        track: _part(song, notes, families.get(song.track(track).instrument, "keys"), drums=track in kits)
        for track, notes in asked.notes.items() if about.tracks or track not in kits or kits >= asked.notes.keys()
    }
    order = sorted(found, key=lambda track: (-found[track].steps, -found[track].speed))
    shown = order if about.tracks else order[:_MOST]
    texts = []
    for track in shown:
        one = found[track]
        word = _WORDS[min(one.steps, len(_WORDS) - 1)]
        texts.append(f"{asked.names[track]}{asked.where} is {word}: {'; '.join(one.reasons)}.")
    facts = tuple(Fact(f"{asked.names[track]} difficulty", found[track].steps, "of 4") for track in shown)
    more = len(order) - len(shown)
    rest = f" {counted(more, 'other part asks', 'other parts ask')} for less." if more else ""
    head = "I cannot name an exam grade; this is an estimate by what can be counted in the notes."
    return Answer(f"{head} {sentence(' '.join(texts))}{rest}", facts, asked.links())


def _part(song: Song, notes: Sequence[Sounding], family: Family, *, drums: bool) -> PartDifficulty:
    quick = quickest(song, notes)
    reasons = [_speed(quick)] if quick is not None else ["a single stroke"]
    steps = sum(quick.second > speed for speed in _SPEEDS) if quick is not None else 0
    speed = quick.second if quick is not None else 0.0
    if drums:
        return PartDifficulty(steps, (*reasons, f"{len({note.pitch for note in notes})} drums"), speed)
    leaps, stretches = leaps_of(notes), stretches_of(notes)
    wide = sum(one.size > _OCTAVE for one in leaps)
    if leaps:
        widest = max(leaps, key=lambda one: one.size)
        reasons.append(f"leaps of up to {interval_said(song, widest)}")
        steps += wide > _MANY_LEAPS * len(leaps)
    if stretches and family in _ONE_PLAYER:
        widest = max(stretches, key=lambda one: one.size)
        most = max(len(group) for group in strokes(notes))
        small = ", too wide for small hands" if widest.size >= _OCTAVE and family in _KEYBOARDS else ""
        stretch = f"stretches of up to {interval_said(song, widest)} in {at_said(song, widest.at)}{small}"
        reasons.append(f"up to {most} notes at once and {stretch}")
        steps += (widest.size > _OCTAVE) + (widest.size > _TENTH) if family in _KEYBOARDS else 0
    elif not stretches:
        reasons.append("one note at a time")
    home = Key(class_name(signature_class(song.key), song.key))
    strays = sum(not in_scale(home, note.pitch) for note in notes)
    steps += strays > _MANY_ACCIDENTALS * len(notes)
    reasons.append(f"{counted(strays, 'accidental')}" if strays else "no accidentals")
    low, high = min(note.pitch for note in notes), max(note.pitch for note in notes)
    reasons.append(f"a range from {spelled(pitch_name(low, song.key))} to {spelled(pitch_name(high, song.key))}")
    return PartDifficulty(int(steps), tuple(reasons), speed)


def _speed(quick: QuickNotes) -> str:
    speed = number(round(quick.second, 1))
    row = " in a row" if quick.single_bars else ""
    told = f"its quickest notes{row} are {value_name(quick.value)}, {speed} a second"
    return f"{told}, and its fullest bar is {quick.dense}"

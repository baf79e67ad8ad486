"""Reharmonising: other chords under the same melody."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from types import MappingProxyType

from agent.composer.changing.hearing.around import Around
from agent.composer.changing.notes.chord_slots import chord_slots
from agent.composer.changing.notes.leading import ChordChange, led
from agent.composer.changing.notes.substitutes import Chords, ChordSlot, substituted
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.soundness import Attempt, Promise, first_sound
from agent.composer.changing.stage import Stage
from agent.composer.styles import Role, StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.operations import Reharmonise
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.song import Song
from agent.theory.harmony import root_agreement
from agent.theory.sounding import kit_tracks

_FOLLOWING: tuple[Role, ...] = ("bass", "chords", "pad", "arp", "texture", "counter")
_OTHER_CHORDS = 0.25
"""Share of the chords that must be others for it to have been done."""
_TRIES = ((1.0, True), (0.75, True), (1.0, False), (0.5, True), (0.6, False), (0.35, False), (0.2, False))
"""Share of the asked measure, and whether chords may leave the key."""


def reharmonise(stage: Stage, _: Reharmonise) -> None:
    """Put other chords under the melody, a share of the chords as the stage's amount says; cadences stay, and the other
    parts follow. Raises `Blocked` if no other chords fit the melody."""

    def attempt(share: float, colourful: bool) -> Attempt:
        return lambda trial: _reharmonised(trial, min(1.0, stage.amount * share), colourful)

    promise = Promise(melody=0.9, roots=0.0, proof=lambda before, after: _other(stage, before, after))
    otherwise = "no other chords would carry the melody"
    first_sound(stage, [attempt(share, colourful) for share, colourful in _TRIES], promise, otherwise)


def _other(stage: Stage, before: Song, after: Song) -> bool:
    kits = kit_tracks(before, stage.palette)
    return root_agreement(before, after, kits) < 1.0


def _reharmonised(stage: Stage, share: float, colourful: bool) -> None:
    heard = stage.heard()
    voices = [voice for voice in voices_of(stage) if voice.role in _FOLLOWING]
    moving = {voice.track.id for voice in voices}
    fixed = [track for track, role in heard.roles.items() if role == "lead" or track not in moving]
    fixed = [track for track in fixed if heard.roles[track] not in ("drums", "percussion")]
    slots = chord_slots(stage, heard, [track for track in fixed if heard.roles[track] in ("lead", "counter")])
    chords = substituted(slots, heard.key, share, colourful, stage.dice.of(f"chords {share:g} {colourful}"))
    turns = [turn for slot, new in zip(slots, chords, strict=True) for turn in _turns(slot, new)]
    tune = Around(stage.song, fixed)
    if not turns:
        return
    for voice in sorted(voices, key=lambda one: _FOLLOWING.index(one.role)):

        def moved(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
            return led(tones, voice, turns, tune)

        rewrite(stage, voice, moved, "reharmonised", "follows the new chords in its own rhythm")


def _turns(slot: ChordSlot, new: Chords) -> list[ChordChange]:
    if new == (slot.chord,):
        return []
    middle = (slot.start + slot.end) // 2
    edges = [slot.start, slot.end] if len(new) == 1 else [slot.start, middle, slot.end]
    return [
        ChordChange(start, end, slot.chord, chord) for (start, end), chord in zip(pairwise(edges), new, strict=True)
    ]


def _read(_: Filled) -> tuple[Reharmonise, ...]:
    return (Reharmonise(),)


def _asks(served: Served, _: Reharmonise, _styles: StyleBook) -> list[Ask]:
    return served.ask("chord_change", "at_least", _OTHER_CHORDS)


KINDS = (OperationKind(Reharmonise, 7, reharmonise, MappingProxyType({"reharmonise": SlotReading(_read)}), _asks),)

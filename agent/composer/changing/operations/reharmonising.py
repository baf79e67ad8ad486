"""Reharmonising: other chords under the same melody."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from types import MappingProxyType

from agent.composer.changing.hearing.around import Around
from agent.composer.changing.hearing.listening import Heard
from agent.composer.changing.notes.leading import Turn, led
from agent.composer.changing.notes.substitutes import Chords, Slot, substituted
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.soundness import Attempt, Promise, first_sound
from agent.composer.changing.stage import Stage
from agent.composer.changing.telling.measuring import Served
from agent.composer.styles import Role, StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.operations import Reharmonise
from agent.composer.understanding.slot_filling import Filled, Reading
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.harmony import root_agreement
from agent.theory.sounding import kit_tracks, sounding

_FOLLOWING: tuple[Role, ...] = ("bass", "chords", "pad", "arp", "texture", "counter")
_OTHER_CHORDS = 0.25
"""Share of the chords that must be others for it to have been done."""
_PHRASE = 4
"""Bars after which chords repeat."""
_TRIES = ((1.0, True), (0.75, True), (1.0, False), (0.5, True), (0.6, False), (0.35, False), (0.2, False))
"""Share of the asked measure, and whether chords may leave the key."""


def reharmonise(stage: Stage, _: Reharmonise) -> None:
    """Other chords under the tune, `amount` of those there are; cadences stay, and the parts follow."""

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
    slots = _slots(stage, heard, [track for track in fixed if heard.roles[track] in ("lead", "counter")])
    chords = substituted(slots, heard.key, share, colourful, stage.dice.of(f"chords {share:g} {colourful}"))
    turns = [turn for slot, new in zip(slots, chords, strict=True) for turn in _turns(slot, new)]
    tune = Around(stage.song, fixed)
    if not turns:
        return
    for voice in sorted(voices, key=lambda one: _FOLLOWING.index(one.role)):

        def moved(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
            return led(tones, voice, turns, tune)

        rewrite(stage, voice, moved, "reharmonised", "follows the new chords in its own rhythm")


def _slots(stage: Stage, heard: Heard, singers: Sequence[TrackId]) -> list[Slot]:
    """The chords of the stage, none longer than a bar; those of cadences are closed."""
    song = stage.song
    tune = [Tone(n.start, n.pitch, n.end - n.start, n.velocity) for n in sounding(song, singers)]
    closed = stage.sketch.guard.closed
    slots: list[Slot] = []
    for span in heard.chords:
        for start, end in _by_bar(span.start, span.end, song):
            inside = stage.inside(start) and stage.inside(end - 1) and not closed(start)
            if not inside:
                continue
            bar = song.bar_map.bar_at(start)
            whole = (start, end) == tuple(song.bar_map.span(bar, bar))
            halves = whole and song.bar_map.meter_at(start).beats % 2 == 0
            over = tuple(tone for tone in tune if tone.start < end and tone.end > start)
            place = (bar - 1) % _PHRASE * 2 + (start > song.bar_map.start_of(bar))
            slots.append(Slot(start, end, span.chord, over, not _cadence(start, end, stage, heard), halves, place))
    return slots


def _by_bar(start: int, end: int, song: Song) -> list[tuple[int, int]]:
    bars = song.bar_map
    lines = [int(bars.start_of(bar)) for bar in range(bars.bar_at(start) + 1, bars.bar_at(end - 1) + 1)]
    return list(pairwise([start, *lines, end]))


def _cadence(start: int, end: int, stage: Stage, heard: Heard) -> bool:
    """Whether a chord ends a section or the stage, or leads home there by a fifth; the first tonic stays too."""
    ends = {stop for _, stop in stage.spans} | {int(section.end) for section in stage.song.sections}
    ends.add(heard.chords[-1].end)
    if any(edge - 60 <= end <= edge for edge in ends):
        return True
    here = next(span for span in heard.chords if span.start <= start < span.end)
    after = next((span for span in heard.chords if span.start >= end - 60), None)
    last = max(ends)
    home = after is not None and after.chord.root == heard.key.pitch_class
    dominant = (here.chord.root - heard.key.pitch_class) % 12 == 7
    if after is not None and home and dominant and after.end >= last:
        return True
    return start == heard.chords[0].start


def _turns(slot: Slot, new: Chords) -> list[Turn]:
    if new == (slot.chord,):
        return []
    middle = (slot.start + slot.end) // 2
    edges = [slot.start, slot.end] if len(new) == 1 else [slot.start, middle, slot.end]
    return [Turn(start, end, slot.chord, chord) for (start, end), chord in zip(pairwise(edges), new, strict=True)]


def _read(_: Filled) -> tuple[Reharmonise, ...]:
    return (Reharmonise(),)


def _asks(served: Served, _: Reharmonise, _styles: StyleBook) -> list[Ask]:
    return served.ask("chord_change", "at_least", _OTHER_CHORDS)


KINDS = (OperationKind(Reharmonise, 7, reharmonise, MappingProxyType({"reharmonise": Reading(_read)}), _asks),)

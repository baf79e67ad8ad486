"""Holding roots: a part that holds the root of each chord, or the tonic as a drone, low and without a rhythm."""

from __future__ import annotations

from types import MappingProxyType

from agent.composer.changing.notes.laying import lay
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.room import colour_for
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.parts import PlannedClip, PlannedTrack
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.instruments import default_part, find_instrument
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.key import Key

_LOWEST = 28
"""The lowest pitch that a root is put at where the instrument has it."""
_LEVEL = 74
_USUAL = "pad"
"""What holds a drone where nothing is named: it does not die away as plucked strings do."""


class HoldRoots(Operation, frozen=True):
    """A part holds the roots of the chords as long notes; with `drone` a single note throughout, the tonic of `key`
    (None: of the song).

    With `added` it is a new track, else it replaces what the part plays in the scope.
    """

    wish: Wish
    added: bool = False
    drone: bool = False
    key: Key | None = None

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        held = f"a drone on {self.key.tonic}" if self.key is not None else "a drone" if self.drone else "the roots held"
        return f"add {self.wish.label}: {held}" if self.added else f"{self.wish.label}: {held}"


def hold_roots(stage: Stage, operation: HoldRoots) -> None:
    """Write the long notes, each as long as its chord; a part that the song lacks gets a track."""
    meant = () if operation.added else tracks_of(operation.wish, stage.song, stage.palette)
    if meant:
        for track in stage.free(operation.wish):
            sound = next((one for one in stage.palette.instruments if one.name == track.instrument), None)
            tones = _held(stage, operation, *((sound.low, sound.high) if sound is not None else (_LOWEST, 127)))
            for start, end in stage.spans:
                inside = [tone for tone in tones if start <= tone.start < end]
                lay(stage, track.id, (start, end), inside, track.name, "holds the roots")
        return
    instrument = find_instrument(operation.wish, stage.palette)
    if instrument is None:
        raise Blocked(msg("no instrument for {wish!r}", wish=operation.wish.label))
    tones = _held(stage, operation, instrument.low, instrument.high)
    label = operation.wish.label[:1].upper() + operation.wish.label[1:]
    passages = tuple(
        PlannedClip(label, start, end, tuple(tone for tone in tones if start <= tone.start < end), "held as you asked")
        for start, end in stage.spans if any(start <= tone.start < end for tone in tones)
    )
    if not passages:
        raise Blocked(msg("there are no chords to be heard there"))
    part = default_part("bass", label, (instrument.name,))
    stage.sketch.add_track(
        PlannedTrack(
            label, instrument.name, part.volume_db, 0.0, colour_for(part, stage.song), passages, (), "Bass",
            "you asked for it",
        )
    )


def _held(stage: Stage, operation: HoldRoots, low: int, high: int) -> list[Tone]:
    """The notes of the stage's spans: one a chord, or one a span."""
    heard = stage.heard()
    tones = []
    for start, end in stage.spans:
        if operation.drone:
            key = operation.key or heard.key
            tones.append(Tone(start, _low(key.pitch_class, low, high), end - start, _LEVEL))
            continue
        for chord in heard.chords_in(start, end):
            pitch = _low(chord.chord.root, low, high)
            tones.append(Tone(chord.start, pitch, chord.end - chord.start, _LEVEL))
    return tones


def _low(pitch_class: int, low: int, high: int) -> int:
    """The lowest pitch of a class that an instrument has and that can still be heard as a pitch."""
    least = max(low, min(_LOWEST, high - 11))
    return least + (pitch_class - least) % 12


def _read(filled: Filled) -> tuple[Operation, ...]:
    kind, drone = filled.words.variant, filled.words.factor != 1
    usual = () if not drone else (thing_wish(filled.lexicon.words.thing(_USUAL)),)
    key = filled.value("key")
    wishes = filled.parts[:1] or usual
    return tuple(HoldRoots(wish, kind == "added", drone, key if isinstance(key, Key) else None) for wish in wishes)


def _asks(served: Served, operation: HoldRoots, _: StyleBook) -> list[Ask]:
    return served.ask("tracks", "higher") if operation.added and served.task.scope.whole else served.plain()


KINDS = (
    OperationKind(
        HoldRoots, 8, hold_roots, MappingProxyType({"hold_roots": SlotReading(_read)}), _asks, makes_tracks=True,
        removes=lambda operation: not operation.added,
    ),
)

"""Four parts: the chords set for soprano, alto, tenor and bass, in one part of the song."""

from __future__ import annotations

from types import MappingProxyType

from agent.composer.changing.notes.laying import lay
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.room import colour_for
from agent.composer.changing.parts.scenes_there import scenes_there
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage, tracks_of
from agent.composer.parts import PlannedClip, PlannedTrack
from agent.composer.styles import PartStyle, StyleBook, Voice
from agent.composer.tones import Tone
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.frame import Player
from agent.composer.writing.instruments import default_part, find_instrument
from agent.composer.writing.part_writing import VOICES, in_four_parts
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.palette import Instrument

_CENTRES: dict[Voice, tuple[int, int]] = {
    "soprano": (69, 19), "alto": (64, 19), "tenor": (57, 19), "bass": (51, 22),
}
"""The pitch that each voice stays near, and its compass in semitones."""
_LEVEL = 78
_STANDS = 0.8
"""Share of what sounds that must belong to the chords."""
_USUAL = "strings"


class FourParts(Operation, frozen=True):
    """A part plays the song's chords in four voices (SATB) with textbook voice leading; on a new track if the song
    lacks the part."""

    wish: Wish

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{self.wish.label}: the chords in four parts (SATB)"


def four_parts(stage: Stage, operation: FourParts) -> None:
    """Write the four-part setting in place of what the part plays in the stage's spans."""
    meant = tracks_of(operation.wish, stage.song, stage.palette)
    why = "in four parts, as you asked"
    if meant:
        sounds = {one.name: one for one in stage.palette.instruments}
        for track in stage.free(operation.wish):
            sound = sounds.get(track.instrument)
            for span in stage.spans if sound is not None else ():
                lay(stage, track.id, span, _set(stage, span, sound), track.name, why)  # type: ignore[arg-type]
        return
    sound = find_instrument(operation.wish, stage.palette)
    if sound is None:
        raise Blocked(msg("no instrument for {wish!r}", wish=operation.wish.label))
    label = operation.wish.label[:1].upper() + operation.wish.label[1:]
    passages = tuple(PlannedClip(label, *span, tuple(_set(stage, span, sound)), why) for span in stage.spans)
    part = default_part("pad", label, (sound.name,))
    colour = colour_for(part, stage.song)
    stage.sketch.add_track(
        PlannedTrack(label, sound.name, part.volume_db, 0.0, colour, passages, (), "Chords", "you asked for it")
    )


def _set(stage: Stage, span: Span, sound: Instrument) -> list[Tone]:
    """The four voices of a stretch together."""
    players = [Player(_part(voice, sound), sound) for voice in VOICES]
    tones: set[Tone] = set()
    for scene, frame in scenes_there(stage.heard(), span):
        lines = in_four_parts(players, scene, frame, stage.dice.of(f"four parts {scene.start}"))
        tones.update(tone for line in lines.values() for tone in line if span[0] <= tone.start < span[1])
    if not tones:
        raise Blocked(msg("there are no chords to be heard there"))
    return sorted(tones)


def _part(voice: Voice, sound: Instrument) -> PartStyle:
    centre, compass = _CENTRES[voice]
    return PartStyle(
        name=voice, role="pad", instruments=(sound.name,), centre=centre, span=compass, velocity=(_LEVEL, _LEVEL),
        voice=voice,
    )


def _read(filled: Filled) -> tuple[Operation, ...]:
    wishes = filled.parts[:1] or (thing_wish(filled.lexicon.words.thing(_USUAL)),)
    return (FourParts(wishes[0]),)


def _asks(served: Served, operation: FourParts, _: StyleBook) -> list[Ask]:
    return served.ask("on_chords", "at_least", _STANDS, words=operation.sentence(1.0, None), sounding=False)


KINDS = (
    OperationKind(
        FourParts, 9, four_parts, MappingProxyType({"four_parts": SlotReading(_read)}), _asks, makes_tracks=True,
        removes=lambda _: True,
    ),
)

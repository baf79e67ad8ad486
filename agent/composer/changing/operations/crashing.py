"""Crashing: one stroke of a cymbal where a stretch begins."""

from __future__ import annotations

from types import MappingProxyType

from agent.composer.changing.notes.laying import lay
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import bar_line
from agent.composer.changing.parts.room import colour_for
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.parts import PlannedClip, PlannedTrack
from agent.composer.styles import Drum
from agent.composer.tones import Tone
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation, Place
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.instruments import default_part, find_instrument
from agent.composer.writing.kit import PITCHES, key_of
from agent.message import msg
from agent.song.time import PPQ

_SLOTS = ("onset", "spot", "place", "within")
_PIECE: Drum = "crash"
_LEVEL, _RING = 108, 2 * PPQ


class Crash(Operation, frozen=True):
    """Put a crash cymbal on the first beat of each place of `at`; of every section if `at` is empty."""

    wish: Wish
    at: tuple[Place, ...] = ()

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        where = " and ".join(map(told_place, self.at)) or "every section"
        return f"a crash cymbal at the beginning of {where}"

    def placed(self, said: str, _places: str, _without: str) -> str:
        """The sentence `said` unchanged, as it already names the place."""
        return said


def crash(stage: Stage, operation: Crash) -> None:
    """Add the cymbal strokes to the drum kit, or to a new track if there is none; existing notes stay. Raises `Blocked`
    without sections to place them in."""
    song = stage.song
    starts = _starts(stage, operation)
    if not starts:
        raise Blocked(msg("the song has no sections"))
    roles = stage.roles()
    kit = next((track for track in stage.sketch.free_tracks() if roles[track.id] == "drums"), None)
    pitch = PITCHES[_PIECE] if kit is None else key_of(_PIECE, stage.palette.instrument(kit.instrument))
    played = ((clip.start + note.start, note.pitch) for clip in (kit.clips if kit else ()) for note in clip.notes)
    struck = {at for at, struck_pitch in played if struck_pitch == pitch}
    bars = [(at, int(song.bar_map.span(bar, bar)[1])) for at in starts for bar in (song.bar_map.bar_at(at),)]
    missing = [bar for bar in bars if bar[0] not in struck]
    if not missing:
        raise Blocked(msg("the drums play it there already"))
    if kit is not None:
        for start, end in missing:
            stroke = Tone(start, pitch, min(_RING, end - start), _LEVEL)
            lay(stage, kit.id, (start, end), [stroke], "Crash", "as you asked", lambda _: False)
        return
    instrument = find_instrument(operation.wish, stage.palette)
    if instrument is None:
        raise Blocked(msg("no instrument for a crash cymbal"))
    passages = tuple(
        PlannedClip("Crash", start, end, (Tone(start, pitch, min(_RING, end - start), _LEVEL),), "as you asked")
        for start, end in missing
    )
    part = default_part("percussion", "Crash", (instrument.name,))
    stage.sketch.add_track(
        PlannedTrack(
            "Crash", instrument.name, part.volume_db, 0.0, colour_for(part, song), passages, (), "Drums",
            "you asked for it",
        )
    )


def _starts(stage: Stage, operation: Crash) -> list[int]:
    """The bar lines, now, of where it is struck."""
    if not operation.at:
        return sorted({bar_line(stage.song, int(section.start)) for section in stage.song.sections})
    spans = each_span(operation.at, stage.sketch.before, stage.palette)
    return sorted({bar_line(stage.song, stage.sketch.placed(*span)[0]) for span in spans})


def _read(filled: Filled) -> tuple[Operation, ...]:
    wish = thing_wish(filled.lexicon.words.thing(_PIECE))
    if filled.words.variant == "sections":
        return (Crash(wish),)
    ref = next((value for slot in _SLOTS if (value := filled.value(slot)) is not None), None)
    return (Crash(wish, ref.places),) if isinstance(ref, PlaceRef) and ref.places else ()


KINDS = (
    OperationKind(Crash, 15, crash, MappingProxyType({"crash": SlotReading(_read)}), makes_tracks=True),
)

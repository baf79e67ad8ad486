"""Sounding in: a part, or the whole mix, is put into a room that the request names."""

from __future__ import annotations

from types import MappingProxyType

from agent.composer.changing.mix import knobs
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.turning import bring, present_on
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.understanding.sentences import share
from agent.composer.understanding.slot_filling import Filled, SlotReading, within
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.song.ids import MASTER
from agent.song.palette import EffectUse
from agent.song.track import Effect, Track
from agent.theory.mixing import REVERBS
from agent.theory.rooms import NAMES, ROOMS, RoomName

_ROOM = "room"
_LEAST, _MOST = 0.04, 0.7
_DRY = {"mix": 0.0}


class SoundIn(Operation, frozen=True):
    """Put a part (`wish` None: the whole mix) into a named room; an existing reverb is replaced."""

    of_mix = True
    of_sound = True

    room: RoomName
    wish: Wish | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return f"{self.wish.label if self.wish is not None else 'everything'} in a {self.room}" + share(amount)


def sound_in(stage: Stage, operation: SoundIn) -> None:
    """Set, add or replace the reverb for the room. Raises `Blocked` where it is set so already, and for a single drum
    of a kit."""
    wish, before = operation.wish, stage.song
    if wish is not None and wish.pieces:
        raise Blocked(msg("{wish} share one track with the other drums", wish=wish.label))
    tracks = stage.free(wish)
    if wish is None and stage.whole:
        _place(stage, None, operation.room)
    else:
        for track in tracks:
            _place(stage, track, operation.room)
    if stage.song is before:
        raise Blocked(
            msg(
                "{wish} sounds in a {room} already",
                wish=wish.label if wish is not None else "everything", room=operation.room,
            ),
        )


def _place(stage: Stage, track: Track | None, room: RoomName) -> None:
    """In a stretch only, or on the mix, a reverb that is there stays: it is what the part sounds like elsewhere."""
    owner, params, why = MASTER if track is None else track.id, _params(stage, track, room), f"in a {room}"
    present = present_on(stage, track, *REVERBS)
    if stage.whole and present is not None and present.name == _ROOM:
        stage.sketch.set_effect(owner, present, params, why)
        return
    if stage.whole and track is not None and present is not None:
        stage.sketch.remove_effect(owner, present, f"the {room} takes its place")
    if not _sounds_so(stage.song.track(owner).effects if track is not None else (), params):
        bring(stage, track, EffectUse(_ROOM, params), _DRY, why)


def _params(stage: Stage, track: Track | None, room: RoomName) -> dict[str, float]:
    """The room's own, as far as the request goes; on the mix, where it weighs on everything, less of it."""
    part = stage.amount * (1.0 if track is not None else knobs.MASTER_SHARE)
    return {**ROOMS[room], "mix": round(within(ROOMS[room]["mix"] * part, _LEAST, _MOST), 3)}


def _sounds_so(chain: tuple[Effect, ...], params: dict[str, float]) -> bool:
    room = {name: value for name, value in params.items() if name not in _DRY}
    return any(one.name == _ROOM and room.items() <= dict(one.params).items() for one in chain)


def _read(filled: Filled) -> tuple[SoundIn, ...]:
    room = next((one for one in NAMES if one == filled.words.variant), None)
    return tuple(SoundIn(room, wish) for wish in filled.each) if room is not None else ()


KINDS = (OperationKind(SoundIn, 14, sound_in, MappingProxyType({"sound_in": SlotReading(_read)})),)

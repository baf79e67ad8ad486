"""Own sounds: a part, or the whole song, plays from a SoundFont file of the person's, or from the bank again."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

from msgspec import Meta

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.planning import SoundFonts

_TOLD = 3
"""Files that are named where another one was meant."""


class PlayFrom(Operation, frozen=True):
    """Play a part (`wish` None: the song) from the SoundFont `file` of that name; "" for the built-in bank."""

    of_sound = True

    file: Annotated[str, Meta(max_length=120)] = ""
    wish: Wish | None = None

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        who = self.wish.label if self.wish is not None else "all of the song"
        return f"{who} from {self.file or 'the bank'}"


def play_from(stage: Stage, operation: PlayFrom) -> None:
    """Set the SoundFont of the tracks that the wish means; without a wish that of the song, and clear those of its
    tracks.

    Raises `Blocked` if there is no such file, and for only some of the bars.
    """
    if not stage.whole:
        raise Blocked(msg("a SoundFont plays all of a part, not some of its bars"))
    file = _there(operation.file, stage.soundfonts) if operation.file else ""
    before, sketch = stage.song, stage.sketch
    if operation.wish is None and not sketch.guard.tracks:
        sketch.sound_font(None, file)
        for track in before.tracks:
            sketch.sound_font(track.id, "")
    else:
        for track in stage.free(operation.wish):
            sketch.sound_font(track.id, file)
    if sketch.song is before:
        raise Blocked(msg("that plays from {file} already", file=file or "the bank"))


def _there(name: str, known: SoundFonts | None) -> str:
    """The file that is called so, as it is written; what was said where nobody looked. Raises `Blocked` where there is
    none, with what to do."""
    if known is None:
        return name
    found = next((file for file in known.files if file.casefold() == name.casefold()), None)
    if found is not None:
        return found
    others = f" (there are {', '.join(known.files[:_TOLD])})" if known.files else ""
    raise Blocked(
        msg(
            "no {name} is among your SoundFonts{others}: put the file into {folder}, then say it again",
            name=name, others=others, folder=known.folder,
        ),
    )


def _read(filled: Filled) -> tuple[Operation, ...]:
    file = str(filled.value("soundfont") or "")
    return tuple(PlayFrom(file, wish) for wish in filled.each)


def _read_bank(filled: Filled) -> tuple[Operation, ...]:
    return tuple(PlayFrom("", wish) for wish in filled.each)


_READINGS = {"play_from": SlotReading(_read, frozenset({"soundfont"})), "play_from_bank": SlotReading(_read_bank)}
KINDS = (OperationKind(PlayFrom, 1, play_from, MappingProxyType(_READINGS)),)

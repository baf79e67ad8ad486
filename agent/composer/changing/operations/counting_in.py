"""Counting in: bars of clicks before the first bar, after which the song begins as it did."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

from msgspec import Meta

from agent.composer.changing.hearing.grid import Grid
from agent.composer.changing.notes.rhythms import strokes
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import MOST_BARS, more_bars
from agent.composer.changing.parts.room import colour_for
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.changing.time.moves import Inserted
from agent.composer.changing.time.timeline import insert_time
from agent.composer.parts import PlannedClip, PlannedTrack
from agent.composer.tones import STEP, Tone
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.sentences import counted
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.instruments import default_part, find_instrument
from agent.composer.writing.kit import PITCHES
from agent.message import msg
from agent.song.time import PPQ

_STICKS = "rim"
"""The drum that clicks where none is named."""
_LEVEL, _LESS = 96, 0.8
"""The velocity of the first stroke of a bar, and the share of it that the others have."""
_NAME = "Count-in"


class CountIn(Operation, frozen=True):
    """Put `bars` of clicks on every beat before the song; `wish` is the drum or instrument that clicks."""

    bars: Annotated[int, Meta(ge=1, le=8)]
    wish: Wish

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"a count-in of {counted(self.bars, 'bar')} before the song"

    def placed(self, said: str, _places: str, _without: str) -> str:
        """The sentence `said` unchanged, as it already names the place."""
        return said


def count_in(stage: Stage, operation: CountIn) -> None:
    """Insert `operation.bars` bars before the song's first one, at its tempo and meter, with nothing but the clicks in
    them. Raises `Blocked` if the song gets too long."""
    song = stage.song
    if song.bars + operation.bars > MOST_BARS:
        raise Blocked(msg("a song of more than {most_bars} bars is too long", most_bars=MOST_BARS))
    length = operation.bars * int(song.bar_map.span(1, 1)[1])
    stage.sketch.move(insert_time(song, 0, length, stage.sketch.new_id), Inserted(0, length), "makes room to count in")
    _click(stage, operation.wish, length)


def _click(stage: Stage, wish: Wish, length: int) -> None:
    """The clicks on a kit that the song has, else on a track of their own."""
    instrument = find_instrument(wish, stage.palette)
    if instrument is None:
        raise Blocked(msg("no instrument for {wish!r}", wish=wish.label))
    roles = stage.roles()
    kit = next((track for track in stage.sketch.free_tracks() if roles[track.id] == "drums" and wish.pieces), None)
    pitch = PITCHES[wish.pieces[0]] if wish.pieces else (instrument.low + instrument.high) // 2
    tones = _clicks(stage, pitch, length)
    if kit is not None:
        stage.sketch.add_clip(kit.id, _NAME, 0, length, tones, "clicks to count in")
        return
    part = default_part("percussion", _NAME, (instrument.name,))
    passage = PlannedClip(_NAME, 0, length, tuple(tones), "clicks to count in")
    stage.sketch.add_track(
        PlannedTrack(
            _NAME, instrument.name, part.volume_db, 0.0, colour_for(part, stage.song), (passage,), (), "Drums",
            "you asked for it",
        )
    )


def _clicks(stage: Stage, pitch: int, length: int) -> list[Tone]:
    """One stroke a beat, the first of each bar the loudest."""
    bars = stage.song.bar_map
    spans = [bars.span(bar, bar) for bar in range(1, bars.bar_at(length - 1) + 1)]
    whole = [(int(start), int(end)) for start, end in spans]
    firsts = {start for start, _ in whole}
    struck = strokes(pitch, _LEVEL, STEP // 2, "beats", PPQ, whole, Grid(stage.song))
    return [
        Tone(tone.start, pitch, tone.length, _LEVEL if tone.start in firsts else round(_LESS * _LEVEL))
        for tone in struck
    ]


def _read(filled: Filled) -> tuple[Operation, ...]:
    bars = int(filled.number("bars") or 1)
    named = filled.by
    # "with the drum sticks": a whole kit clicks on its rim
    sticks = named is None or (named.role == "drums" and not named.pieces)
    return (CountIn(min(8, bars), thing_wish(filled.lexicon.words.thing(_STICKS)) if sticks or not named else named),)


KINDS = (
    OperationKind(
        CountIn, 18, count_in, MappingProxyType({"count_in": SlotReading(_read)}), more_bars, moves_bars=lambda _: True,
        makes_tracks=True,
    ),
)

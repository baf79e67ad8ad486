"""Looping: the end of the song leads into its beginning."""

from __future__ import annotations

from types import MappingProxyType

from msgspec import structs

from agent.composer.changing.hearing.listening import drum_tracks
from agent.composer.changing.notes.laying import lay
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import fill_into
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.changing.time.form import ending_of, instead_of_ending
from agent.composer.changing.time.material import fading_from, moved, taken
from agent.composer.changing.time.moves import TakenOut
from agent.composer.changing.time.timeline import cut_time
from agent.composer.styles import StyleBook
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.song import Song

_WHY = "so that the end leads into the beginning"


class Loop(Operation, frozen=True):
    """Let the end of the song lead into its beginning: no final chord, fade, ritardando or tail, and a drum fill before
    the repeat."""

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return "a clean loop, the end leading into the beginning"


def loop(stage: Stage, _: Loop) -> None:
    """Replace the song's ending by bars that go on, and cut what sounds beyond the last bar. Raises `Blocked` for a
    part of the song."""
    if not stage.whole:
        raise Blocked(msg("only the whole song can be made to loop"))
    before = stage.song
    _without_tail(stage)
    _without_fades(stage)
    _without_slowing(stage)
    _without_ending(stage)
    if stage.song == before:
        raise Blocked(msg("it loops cleanly already"))
    fill_into(stage, _close(stage.song), 0)


def _close(song: Song) -> int:
    return int(song.bar_map.start_of(song.bars + 1))


def _without_tail(stage: Stage) -> None:
    """Bars at the end in which nothing begins any more are no part of a loop."""
    song = stage.song
    last = max((clip.start + note.start for _, clip in song.clips() for note in clip.notes), default=0)
    end, close = int(song.bar_map.start_of(song.bar_map.bar_at(last) + 1)), _close(song)
    if end < close:
        stage.sketch.move(cut_time(song, end, close), TakenOut(end, close), _WHY)


def _without_fades(stage: Stage) -> None:
    close = _close(stage.song)
    for track in stage.sketch.free_tracks():
        for lane in track.automation:
            first = fading_from(lane, close)
            if first is not None:
                stage.sketch.automate(track.id, structs.replace(lane, points=lane.points[: first + 1]), _WHY)


def _without_slowing(stage: Stage) -> None:
    """A ritardando at the end goes: the tempo changes that only get slower and slower."""
    tempos = list(stage.song.tempos)
    while len(tempos) > 1 and tempos[-1].bpm < tempos[-2].bpm:
        tempos.pop()
    if len(tempos) < len(stage.song.tempos) and not stage.intent.keep_tempo:
        stage.sketch.retempo(tempos, _WHY)


def _without_ending(stage: Stage) -> None:
    """Where the last chord was held the band goes on, as it does elsewhere at that place."""
    song = stage.song
    kits = drum_tracks(song, stage.palette)
    ending, close = ending_of(stage), _close(song)
    if (not kits and ending == 0) or ending >= close:
        return
    source = instead_of_ending(song, ending, close)
    length = close - ending
    for track in stage.sketch.free_tracks():
        tones = moved(taken(track, source, min(source + length, ending)), ending - source)
        lay(stage, track.id, (ending, close), tones, track.name, "going on")


def _read(_: Filled) -> tuple[Loop, ...]:
    return (Loop(),)


def _asks(served: Served, _: Loop, _styles: StyleBook) -> list[Ask]:
    return [Ask(served.words, served.rows, "loop_faults", "equals", 0.0)]


KINDS = (
    OperationKind(Loop, 19, loop, MappingProxyType({"loop": SlotReading(_read)}), _asks, moves_bars=lambda _: True),
)

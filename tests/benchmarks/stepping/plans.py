"""Plans of as many steps as wanted, each about the least that a step can be."""

from __future__ import annotations

from agent.plan.plan import Json, Step
from agent.plan.tool import ToolSpec
from agent.services.registry import Registry
from agent.services.service import Call, Outcome
from agent.services.song_service import SongService
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from app.paths import find_paths
from app.services.library_files import read_palette

TRACKS = 8
_INPUTS: Json = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
_RESULT: Json = {"type": "object", "properties": {"n": {"type": "integer"}}}
_ITEMS: Json = {"type": "object", "properties": {"items": {"type": "array", "items": _RESULT}}}


class Counting:
    """A service whose tools add one; `tick_outside` says of itself that it has an effect on the world."""

    name = "counting"
    limit = 8
    tools = (
        ToolSpec("tick", "counting", "1", "Adds one.", _INPUTS, _RESULT),
        ToolSpec("tick_outside", "counting", "1", "Adds one.", _INPUTS, _RESULT, effect="outside"),
        ToolSpec("numbers", "counting", "1", "So many numbers.", _INPUTS, _ITEMS),
    )

    async def call(self, call: Call) -> Outcome:
        """One more, or a list."""
        return self.foresee(call)

    def foresee(self, call: Call) -> Outcome:
        """The same."""
        n = call.inputs["n"]
        return Outcome({"items": [{"n": i} for i in range(n)]} if call.tool == "numbers" else {"n": n + 1})


def the_registry() -> Registry:
    """The services of all plans here."""
    return Registry((SongService(read_palette(find_paths().resources)), Counting()))


def the_song(name: str) -> Song:
    """Eight tracks with a clip of 64 notes each."""
    notes = [e.NoteSpec(60, Ticks(i * 240), Ticks(240), 90, NoteId(f"n{i}")) for i in range(64)]
    made: list[e.Edit] = []
    for number in range(TRACKS):
        track = TrackId(f"t{number}")
        made.append(e.CreateTrack(track_id=track, name=f"Track {number}", instrument="pad_warm"))
        made.append(e.CreateMidiClip(
            clip_id=ClipId(f"c{number}"), track_id=track, start_time=Ticks(0), duration=Ticks(64 * 240),
            notes=tuple(notes),
        ))
    return apply_all(Song(name=name), made)


def volumes(count: int) -> tuple[Step, ...]:
    """Changes of a volume: about the least that an edit of the song can be."""
    return tuple(
        Step(f"s{n}", "update_track", {"track_id": f"t{n % TRACKS}", "volume_db": -(n % 600) / 10 - 0.05})
        for n in range(count)
    )


def chain(count: int, tool: str = "tick") -> tuple[Step, ...]:
    """Steps that each read the result of the one before."""
    return tuple(Step(f"s{n}", tool, {"n": f"{{{{s{n - 1}.n}}}}" if n else 0}) for n in range(count))


def fan_out(items: int) -> tuple[Step, ...]:
    """One step over so many items, side by side."""
    return (
        Step("list", "numbers", {"n": items}),
        Step("each", "tick", {"n": "{{item.n}}"}, for_each="{{list.items}}"),
    )

"""Songs, plans, a registry and in-memory ports, for tests of the agent's rooms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from awaiting import result_of
from msgspec.structs import replace

from agent.errors import BandleaderError, Blame
from agent.plan.document import Plan
from agent.plan.ledger import Ledger, StepState, balance
from agent.plan.plan import Inputs, Json, Step
from agent.plan.tool import ToolSpec
from agent.review.review import Review, review
from agent.services.goal_service import GoalService
from agent.services.registry import Registry
from agent.services.service import Call, Outcome, Service, ServiceError
from agent.services.song_service import SongService
from agent.session.cancellation import Cancellation
from agent.session.events import Event
from agent.session.executor import Executor
from agent.session.ports import ROW, Report, RowReport, SongMoved
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.edits import Edit
from agent.song.ids import ClipId, EffectId, NoteId, SectionId, TrackId
from agent.song.palette import Palette
from agent.song.revision import song_revision
from agent.song.song import Song
from agent.song.time import Ticks
from app.services.library_files import read_palette

BASS, PAD, DRUMS = TrackId("tbass"), TrackId("tpad"), TrackId("tdrums")
RIFF, CHORDS, BEAT = ClipId("criff"), ClipId("cchords"), ClipId("cbeat")
REVERB, VERSE = EffectId("ereverb"), SectionId("sverse")


@cache
def the_palette() -> Palette:
    """The instruments and effects that the program carries."""
    return read_palette(Path(__file__).parents[2] / "resources")


def beats(count: float) -> Ticks:
    """Ticks of so many beats."""
    return Ticks(int(count * 960))


def some_notes(*rows: tuple[int, float, float], salt: str = "n") -> tuple[e.NoteSpec, ...]:
    """Notes of (pitch, start, duration) in beats."""
    return tuple(
        e.NoteSpec(n, beats(s), beats(d), 90, NoteId(f"{salt}{number}")) for number, (n, s, d) in enumerate(rows)
    )


@cache
def a_song() -> Song:
    """Eight bars of 4/4: a bass riff and drums in bars 1-4, pad chords in bars 5-8 with a reverb; one section."""
    return apply_all(
        Song(name="Demo"),
        (
            e.CreateTrack(track_id=BASS, name="Bass", instrument="bass_finger"),
            e.CreateTrack(track_id=PAD, name="Pad", instrument="pad_warm"),
            e.CreateTrack(track_id=DRUMS, name="Drums", instrument="kit_standard"),
            e.CreateMidiClip(
                clip_id=RIFF,
                track_id=BASS,
                start_time=beats(0),
                duration=beats(16),
                name="Riff",
                notes=some_notes((40, 0, 1), (43, 4, 1), (45, 8, 2), (40, 15, 1), salt="r"),
            ),
            e.CreateMidiClip(
                clip_id=CHORDS,
                track_id=PAD,
                start_time=beats(16),
                duration=beats(16),
                name="Chords",
                notes=some_notes((60, 0, 8), (64, 0, 8), (67, 8, 8), salt="p"),
            ),
            e.CreateMidiClip(
                clip_id=BEAT,
                track_id=DRUMS,
                start_time=beats(0),
                duration=beats(16),
                name="Beat",
                notes=some_notes(*((36, b, 0.5) for b in range(16)), salt="d"),
            ),
            e.AddEffect(effect_id=REVERB, track_id=PAD, effect_name="reverb", params={"mix": 0.3}),
            e.SetAutomation(
                track_id=PAD,
                target="volume_db",
                points=(e.PointSpec(beats(16), -6.0), e.PointSpec(beats(28), 0.0)),
            ),
            e.AddSection(section_id=VERSE, name="Verse", start_time=beats(0), duration=beats(32)),
        ),
    )


def step(step_id: str, tool: str, inputs: Inputs | None = None, **fields: Any) -> Step:
    """A row, read as from a file: JSON in, types checked."""
    given = {"id": step_id, "tool": tool, "inputs": inputs or {}, **fields}
    return msgspec.json.decode(msgspec.json.encode(given), type=Step)


def a_plan(*steps: Step, song: Song | None = None, **fields: Any) -> Plan:
    """A plan of these rows on a song (`a_song` if none is given)."""
    return Plan(steps, "pproject", song_revision(song or a_song()), **fields)


def small_rows() -> tuple[Step, ...]:
    """A track with a clip and an effect."""
    return (
        step("s1", "create_track", {"name": "Keys", "instrument": "pad_warm"}),
        step(
            "s2",
            "create_midi_clip",
            {
                "track_id": "{{s1.track_id}}",
                "start_time": 0,
                "duration": 16,
                "notes": [{"n": 60, "s": 0, "d": 8, "v": 70}, {"n": 64, "s": 8, "d": 8, "v": 70}],
            },
        ),
        step("s3", "add_effect", {"track_id": "{{s1.track_id}}", "effect_name": "reverb"}),
    )


ANYTHING: dict[str, Any] = {"type": "object", "additionalProperties": True}


def a_tool(name: str, service: str, **fields: Any) -> ToolSpec:
    """A tool that takes and gives anything."""
    return ToolSpec(
        **{
            "name": name,
            "service": service,
            "version": "1",
            "about": name,
            "inputs": ANYTHING,
            "result": ANYTHING,
            **fields,
        }
    )


class Stopped(BandleaderError):
    """A service that heeds the cancel flag."""

    blame = Blame.CANCELLED


class Bench:
    """A service of small real tools.

    `echo` gives its inputs back; `look` reads the song's bars and is pure; `wait` takes `seconds`; `stubborn`
    does too, and ignores a cancel flag; `flaky` fails `times` times before it works (`transient` or not);
    `crash` raises what no service should; `publish` acts on the world, `publish_safely` may be repeated;
    `list` gives `items`. `calls` holds every call by tool and inputs, `most` the most calls at once.
    """

    name = "bench"

    def __init__(self, limit: int = 4) -> None:
        self.limit = limit
        self.calls: list[tuple[str, Inputs]] = []
        self.world: list[Json] = []
        self.most = 0
        self._now = 0
        self._failures: dict[str, int] = {}
        self.tools = (
            a_tool("echo", self.name),
            a_tool("look", self.name, reads_song=True, pure=True),
            a_tool("list", self.name),
            a_tool("wait", self.name),
            a_tool("stubborn", self.name),
            a_tool("flaky", self.name),
            a_tool("crash", self.name),
            a_tool("publish", self.name, effect="outside"),
            a_tool("publish_safely", self.name, effect="outside", safe_to_repeat=True),
        )

    async def call(self, call: Call) -> Outcome:
        """Do it."""
        self.calls.append((call.tool, call.inputs))
        self._now += 1
        self.most = max(self.most, self._now)
        try:
            return Outcome(await self._done(call))
        finally:
            self._now -= 1

    def foresee(self, call: Call) -> Outcome:
        """The inputs back."""
        return Outcome(call.inputs)

    async def _done(self, call: Call) -> Json:
        inputs = call.inputs
        match call.tool:
            case "look":
                return {"bars": call.song.bars}
            case "wait":
                for _ in range(int(inputs["seconds"] / 0.01)):
                    if call.cancelled():
                        raise Stopped("stopped by itself")
                    await asyncio.sleep(0.01)
            case "stubborn":
                await asyncio.sleep(inputs["seconds"])
            case "flaky":
                seen = self._failures.get(str(inputs.get("key")), 0)
                self._failures[str(inputs.get("key"))] = seen + 1
                if seen < inputs["times"]:
                    raise ServiceError("the line is busy", transient=inputs.get("transient", True))
            case "crash":
                raise KeyError("a bug")
            case "publish" | "publish_safely":
                self.world.append(inputs.get("what"))
                await asyncio.sleep(inputs.get("seconds", 0))
        return inputs


def a_registry(*services: Service) -> Registry:
    """The song service, the one of goals, and others."""
    return Registry((SongService(the_palette()), GoalService(), *services))


class Studio:
    """Journal and door to the song in memory; keeps what would be stored, in order."""

    def __init__(self, song: Song) -> None:
        self.song = song
        self.rows: dict[tuple[str, int], RowReport] = {}
        self.events: list[Event] = []
        self.told: list[Event] = []
        self.transactions = 0
        self.someone_else_commits_before: str = ""
        self.fails_at: int = -1

    async def note(self, report: Report) -> None:
        """Keep it."""
        await asyncio.sleep(0)
        self.transactions += 1
        if self.transactions == self.fails_at:
            raise BandleaderError("the disk is full")
        for row in report.rows:
            known = self.rows.get((row.step, row.item))
            assert known is None or known.state is not StepState.DONE, f"{row.step} is done twice"
            self.rows[row.step, row.item] = row
        self.events += report.events

    async def settled(self) -> None:
        """All is kept at once."""

    def tell(self, event: Event) -> None:
        """Keep it apart."""
        self.told.append(event)

    async def commit(self, edits: Sequence[Edit], report: Report) -> None:
        """Apply and keep."""
        if any(row.step == self.someone_else_commits_before for row in report.rows):
            raise SongMoved("the song has changed", why="someone else saved it")
        after = apply_all(self.song, edits)
        await self.note(report)
        self.song = after

    def kinds(self, step_id: str) -> list[str]:
        """The kinds of a row's events, in order."""
        return [type(event).__name__ for event in self.events if getattr(event, "step", "") == step_id]


class FastCancellation(Cancellation):
    """Pauses are remembered instead of waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    async def pause(self, seconds: float) -> bool:
        """Remember it."""
        self.pauses.append(seconds)
        await asyncio.sleep(0)
        return self.requested()


class Ran(msgspec.Struct):
    """A run that has ended."""

    reports: tuple[RowReport, ...]
    studio: Studio
    cancellation: Cancellation

    @property
    def ledger(self) -> Ledger:
        """Its account."""
        return balance(report.state for report in self.reports)

    @property
    def states(self) -> list[str]:
        """The ends of its rows."""
        return [report.state.value for report in self.reports]

    def __getitem__(self, step_id: str) -> RowReport:
        return next(report for report in self.reports if report.step == step_id)

    def items(self, step_id: str) -> list[RowReport]:
        """The stored items of a fan-out, in input order."""
        found = [row for (name, item), row in self.studio.rows.items() if name == step_id and item != ROW]
        return sorted(found, key=lambda row: row.item)


async def execute(
    plan: Plan,
    *services: Service,
    studio: Studio | None = None,
    cancellation: Cancellation | None = None,
    past: Sequence[RowReport] = (),
    meanwhile: Callable[[Studio, Cancellation], Any] | None = None,
) -> Ran:
    """Run a plan with ports in memory; `meanwhile` is a coroutine function that runs beside it."""
    studio = studio or Studio(a_song())
    cancellation = cancellation or FastCancellation()
    known = {(report.step, report.item): report for report in past}
    executor = Executor("rrun", plan, "hash", a_registry(*services), studio, studio, cancellation, known)
    beside = asyncio.create_task(meanwhile(studio, cancellation)) if meanwhile is not None else None
    try:
        return Ran(await executor.execute(), studio, cancellation)
    finally:
        if beside is not None:
            await beside


def run(plan: Plan, *services: Service, **fields: Any) -> Ran:
    """`execute` from plain code."""
    return result_of(execute(plan, *services, **fields))


def judged(plan: Plan, *services: Service, song: Song | None = None) -> Review:
    """The plan reviewed on a song."""
    return review(plan, song or a_song(), a_registry(*services), the_palette())


def with_input(row: Step, **inputs: Json) -> Step:
    """The row with some inputs exchanged."""
    return replace(row, inputs={**row.inputs, **inputs})

"""Any sequence of what can happen to runs: the ledger balances, done rows make the song, no effect is had twice."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from crashing import Program, items_row
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from studio_parts import FastCancellation, a_song
from worlds import World

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Step, Threshold, When
from agent.services.service import Call, Origin
from agent.session.ports import ROW, RowReport
from agent.session.run_state import RunError, RunState
from agent.session.session import NotApproved
from agent.song.apply import apply_all
from agent.song.edits import SetTempo
from agent.song.ids import RunId
from agent.song.revision import song_revision
from agent.song.song import Song
from app.studio.running.run_view import RunView

REOPENS = (RunState.PARTIAL, RunState.FAILED, RunState.NEEDS_REVIEW)
ACTS = ("send", "post", "put")
MODES = ("ok", "ok", "ok", "fail", "busy", "lost", "break", "garble", "hang", "stuck")
CHANGES = ("set_tempo", "create_track", "delete_clip", "update_track")


@st.composite
def rows(draw: st.DrawFn) -> tuple[Step, ...]:
    """A plan of edits, reads, conditions, fan-outs and acts on the world, each with its way to go wrong."""
    made: list[Step] = []
    for number in range(draw(st.integers(1, 6))):
        name = f"r{number}"
        earlier = [step.id for step in made]
        fields: dict[str, Any] = {
            "after": tuple(draw(st.lists(st.sampled_from(earlier), max_size=2, unique=True))) if earlier else (),
            "on_error": draw(st.sampled_from([None, "stop", "continue", Threshold(1)])),
            "accept_partial": draw(st.booleans()),
        }
        match draw(st.sampled_from(["tempo", "track", "fail", "read", "when", "loop", "act", "act", "acts", "acts"])):
            case "tempo":
                made.append(Step(name, "set_tempo", {"bpm": 60 + number}, **fields))
            case "track":
                made.append(Step(name, "create_track", {"name": name, "instrument": "pad_warm"}, **fields))
            case "fail":
                made.append(Step(name, "delete_clip", {"clip_id": "{{" + f"{name}c.clip" + "}}"}, **fields))
                made.insert(-1, Step(f"{name}c", "ask", {"clip": "cgone", "hidden": True}))
            case "read":
                made.append(Step(name, "find_tracks", {}, **fields))
            case "when":
                made.append(Step(f"{name}c", "ask", {"x": draw(st.booleans())}))
                when = When("{{" + f"{name}c.x" + "}}", "eq", True)
                made.append(Step(name, "set_tempo", {"bpm": 90 + number}, when=when, **fields))
            case "loop":
                tracks = draw(st.lists(st.sampled_from(["tbass", "tpad", "tgone"]), max_size=3))
                made.append(Step(f"{name}l", "ask", {"items": tracks, "hidden": True}))
                loop = "{{" + f"{name}l.items" + "}}"
                made.append(Step(
                    name, "update_track", {"track_id": "{{item}}", "pan": number / 10}, for_each=loop, **fields
                ))
            case "act":
                inputs = {"what": name, "mode": draw(st.sampled_from(MODES))}
                tool, retry = draw(st.sampled_from(ACTS)), draw(st.integers(0, 1))
                made.append(Step(name, tool, inputs, retry=retry, timeout=0.02, **fields))
            case "acts":
                modes = draw(st.lists(st.sampled_from(MODES), max_size=4))
                made += items_row(name, draw(st.sampled_from(ACTS)), modes)
    return tuple(made)


HOW = st.sampled_from(["", "", "crash", "crash", "cancel", "pause", "hold"])
AT = st.integers(1, 30)
PICK = st.integers(0, 1000)


class RunMachine(RuleBasedStateMachine):
    """One project, one run after the other, over many lives of the program."""

    @initialize()
    def begin(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="runs"))
        self.world = World()
        self.program = Program(self.home, self.world)
        self.run: RunId | None = None
        self.base: Song = a_song()
        self.moved_on = False
        self.allowed: Counter[tuple[str, int]] = Counter()
        self.do(self._project())

    async def _project(self) -> None:
        await self.program.projects.create("One")
        await (await self.program.workspace()).replace(a_song(), "import", "the song")

    def do(self, work: Awaitable[Any]) -> Any:
        async def all_of_it() -> Any:
            return await work

        return asyncio.run(all_of_it())

    def view(self) -> RunView:
        assert self.run is not None
        return self.do(self.program.runs.show(self.run))

    @property
    def state(self) -> RunState | None:
        return None if getattr(self, "run", None) is None else self.view().state

    def taken(self, work: Callable[[FastCancellation], Awaitable[RunView]], how: str, at: int) -> None:
        """Do the work; a death is followed by the next life."""
        assert self.run is not None
        with suppress(RunError, NotApproved):
            self.do(self.program.interrupted(work, how, at, self.run))
        if how == "crash":
            self.program.die()
            self.program.end()
            self.program = Program(self.home, self.world)

    # What is drawn depends on nothing that has happened: no two lives of a program run at the same speed.

    @rule(steps=rows(), how=HOW, at=AT, pick=PICK)
    def go_on(self, steps: tuple[Step, ...], how: str, at: int, pick: int) -> None:
        state = self.state
        if state in (RunState.APPROVED, RunState.RUNNING, RunState.WAITING_USER):
            self._carry_out(how, at)
        elif state in REOPENS and pick % 5:
            (self._retry, self._retry, self._skip, self._amend)[pick % 4](how, at, pick)
        else:
            self.do(self._started(steps))
            self.the_account_holds()
            if pick % 7:
                self._carry_out(how, at)

    @rule(steps=rows(), how=HOW, at=AT, pick=PICK)
    def go_further(self, steps: tuple[Step, ...], how: str, at: int, pick: int) -> None:
        self.go_on(steps, how, at, pick)

    @rule(steps=rows(), how=HOW, at=AT, pick=PICK)
    def and_further(self, steps: tuple[Step, ...], how: str, at: int, pick: int) -> None:
        self.go_on(steps, how, at, pick)

    async def _started(self, steps: tuple[Step, ...]) -> None:
        song, project = await self.program.song(), await self.program.project()
        plan = Plan(steps, project.id, song_revision(song), request="any")
        judged = self.program.session.judge(plan, song)
        assert not judged.errors, judged.errors
        self.run = await self.program.started(judged)
        self.base, self.moved_on = song, False
        for kept in (self.world.effects, self.world.tries, self.allowed):
            kept.clear()

    def _carry_out(self, how: str, at: int) -> None:
        self.taken(lambda cancellation: self.program.runs.host.carry_out(self.run, cancellation), how, at)

    def _retry(self, how: str, at: int, _: int) -> None:
        self._allow_again(asked="post")
        self.taken(lambda cancellation: self.program.runs.retry(self.run, cancellation), how, at)

    def _skip(self, how: str, at: int, pick: int) -> None:
        rows = self.view().rows
        row = rows[pick % len(rows)].step
        self._allow_again(asked="post")
        self.taken(lambda cancellation: self.program.runs.skip(self.run, row, cancellation), how, at)

    def _amend(self, how: str, at: int, pick: int) -> None:
        rows = [row for row in self.view().rows if row.state is not StepState.DONE]
        row = rows[pick % len(rows)]
        inputs = {"what": "again", "mode": "ok"} if row.tool in ACTS else {"bpm": 77} if row.tool == "set_tempo" else {}
        if inputs:
            self._allow_again()
            self.taken(
                lambda cancellation: self.program.runs.amend(self.run, row.step, inputs, cancellation), how, at
            )

    @rule(what=st.sampled_from(["cancel", "roll back", "edit", "reach", "pause"]), how=HOW, at=st.integers(1, 12))
    def meddle(self, what: str, how: str, at: int) -> None:
        if self.run is None:
            return
        state, how = self.state, how if how == "crash" else ""
        if what == "reach":
            self.world.unreachable = not self.world.unreachable
        elif what == "edit":
            self._edit_by_hand()
        elif what == "pause" and state in (RunState.RUNNING, RunState.WAITING_USER):
            assert self.do(self.program.runs.stopping.pause(self.run)).state is RunState.WAITING_USER
        elif what == "cancel" and (not state.ended or state in REOPENS):
            if state is RunState.NEEDS_REVIEW:
                self._allow_again()
            self.taken(lambda _: self.program.runs.stopping.cancel(self.run), how, at)
        elif what == "roll back" and state not in (RunState.APPROVED, RunState.PROPOSED):
            self.taken(lambda _: self.program.runs.rollback(self.run, over_later=True), how, at)
            self.moved_on = True

    def _edit_by_hand(self) -> None:
        held = self.state.holds_song
        try:
            self.do(self._edited())
        except RunError:
            assert held
        else:
            assert not held
            self.moved_on = True

    async def _edited(self) -> None:
        await (await self.program.workspace()).commit((SetTempo(bpm=133),), label="by hand")

    def _allow_again(self, asked: str = "") -> None:
        """A person who takes up a row in doubt allows its effect once more, unless the world is `asked` about it."""
        for row in self._acts(self.view()):
            if row.state is StepState.NEEDS_REVIEW and row.tool != asked:
                self.allowed[row.step, row.item] += 1

    def _acts(self, view: RunView) -> list[RowReport]:
        loops = {step.id for step in view.plan.steps if step.for_each is not None}
        known = (*(row for row in view.rows if row.step not in loops), *view.items)
        return [row for row in known if row.tool in ACTS]

    # What must hold whatever happened

    @invariant()
    def the_account_holds(self) -> None:
        if getattr(self, "run", None) is None:
            return
        view = self.view()
        self._balances(view)
        self._events_are_whole(view)
        self._iterations(view)
        self._effects(view)
        if not self.moved_on:
            assert self.do(self.program.song()) == self._replayed(view)

    def _balances(self, view: RunView) -> None:
        if view.state.ended:
            assert view.ledger.balanced, view.ledger
        if view.state is RunState.COMPLETED:
            assert view.ledger.done + view.ledger.skipped == view.ledger.approved
        for row in (*view.rows, *view.items):
            assert row.reason or not row.state.ended or row.state is StepState.DONE, row

    def _events_are_whole(self, view: RunView) -> None:
        assert [event.number for event in view.events] == list(range(1, len(view.events) + 1))
        done = Counter(
            (body["step"], body.get("item", ROW))
            for body in (msgspec.json.decode(event.body) for event in view.events if event.kind == "STEP_DONE")
        )
        stored = Counter((row.step, row.item) for row in (*view.rows, *view.items) if row.state is StepState.DONE)
        assert done == stored

    def _iterations(self, view: RunView) -> None:
        kinds = Counter(event.kind for event in view.events)
        ends = kinds["RUN_COMPLETED"] + kinds["RUN_FAILED"] + kinds["RUN_CANCELLED"]
        project = self.do(self.program.project())
        versions = self.do(self.program.history.of(project)).iterations
        made = [one for one in versions if one.run == view.record.id]
        assert len(made) == kinds["ITERATION_SAVED"] <= ends
        if view.state.ended:
            assert next(one for one in versions if one.id == project.head).root == project.working

    def _effects(self, view: RunView) -> None:
        for row in self._acts(view):
            had = self.world.of(row.step, row.item)
            most = 1 if row.tool == "put" else 1 + self.allowed[row.step, row.item]
            assert had <= most, (row, had)
            if row.state is StepState.DONE:
                assert had >= 1, row
            if row.tool != "put" and not self.allowed[row.step, row.item]:
                if row.state in (StepState.FAILED, StepState.NOT_RUN, StepState.WAITING):
                    assert had == 0, (row, had)
                if row.state is StepState.SKIPPED:
                    assert had == 0, (row, had)

    def _replayed(self, view: RunView) -> Song:
        """The song before the run with the done edits, in the order in which they were done."""
        song, service = self.base, self.program.registry.owner("set_tempo")
        steps = {step.id: step for step in view.plan.steps}
        rows = {(row.step, row.item): row for row in (*view.rows, *view.items)}
        for event in view.events:
            if event.kind != "STEP_DONE":
                continue
            body = msgspec.json.decode(event.body)
            row = rows[body["step"], body.get("item", ROW)]
            if row.tool in CHANGES and (row.item != ROW or steps[row.step].for_each is None):
                origin = Origin(view.plan.hash, row.step, row.item, view.record.id)
                outcome = service.foresee(Call(row.tool, row.inputs, song, origin, view.plan.project))
                song = apply_all(song, outcome.edits)
        return song

    def teardown(self) -> None:
        if hasattr(self, "program"):
            self.program.end()
            shutil.rmtree(self.home, ignore_errors=True)


SEQUENCES = int(os.environ.get("BANDLEADER_RUN_SEQUENCES", "12"))
"""How many are tried; a campaign sets more."""


@pytest.mark.semantics("6.1", "6.4", "8.1", "8.6", "9.2", "11.5")
class TestRunMachine(RunMachine.TestCase):
    settings = settings(
        max_examples=SEQUENCES, stateful_step_count=14, suppress_health_check=list(HealthCheck),
    )

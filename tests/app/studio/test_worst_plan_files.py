"""Whatever a field of a plan file holds: the project is never held afterwards, and each refusal is one clear error.

Each example takes a plan file, puts a bad value in one place, and does with it all that the command line can: judge it,
run it under the hash that it got and under one that was approved before, leave it in the middle, and take it up, cancel
it or roll it back.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from examples import examples
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from studios import crashed, paths_in

from agent.errors import BandleaderError
from agent.plan.document import NOT_FROM_FILES, Plan, write_plan
from agent.plan.plan import Ask, Step, When
from agent.review.review import Review
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunState
from agent.song.locks import BarsLock
from app.bootstrap import open_studio
from app.storage.records import Project
from app.studio.plan_files import read_plan_file
from app.studio.studio import Studio
from app.studio.workspace import refuse_while_running

FILE: dict[str, Any] = json.loads(write_plan(Plan(
    (
        Step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"}, "A track", "Band", "because"),
        Step(
            "s2", "create_midi_clip",
            {"track_id": "{{s1.track_id}}", "start_time": 0, "duration": 4, "notes": [{"n": 60, "s": 0, "d": 1}]},
            after=("s1",), retry=1, timeout=5.0, when=When("{{s1.track_id}}", "exists"),
        ),
    ),
    seed=7, locks=(BarsLock(90, 91),), request="a pad", provider="file", analysis="short",
    musical_reasoning="calm", understood=("a pad",), ignored=("no",), normalised=("row s1",),
    asks=(Ask("a pad", ("s1",), "tracks", "equals", 1.0, (1, 2), (1, 2)),),
)))  # fmt: skip
FILE["steps"][1] |= {"on_error": {"failures": 3}, "for_each": None, "max_edits": None, "goal": "", "by": "exact"}
FILE["pins"], FILE["amended"] = {"s1": "x"}, {"s1": {"inputs": {"name": "Other"}, "pin": "x", "most": 3}}
FILE["lint"] = [{"step": "s1", "rule": "range", "message": "m", "fix": "f", "level": "error"}]


def places_in(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value of the document."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield from places_in(one, (*path, name))


PLACES = tuple(places_in(FILE))
DEEP = "[" * 200 + "]" * 200
WORST = (
    "-1", "-5", "0", "1", str(2**31), str(2**53 + 1), str(2**63 - 1), str(2**63), str(-(2**63) - 1), str(2**70),
    "9" * 400, "9" * 5000, "1e308", "-1e300", "1e-320", "1e400", "-0.0", "0.5", "NaN", "Infinity", '"NaN"', "null",
    "true", "[]", "{}", '""', '" "', '"\\u0000"', '"\\ud800"', '"\\udfff x"', '"{{s1.track_id}}"', '"{{s9.x}}"', '"{{"',
    '"[from Step 1]"', '"../../etc/passwd"', '"\\u202e\\u001b[31m"', DEEP, '{"a": ' * 200 + "1" + "}" * 200,
    json.dumps("x" * 30_000), json.dumps(["x"] * 1500), json.dumps([1] * 3000), '["s1", "s1"]', '["s9"]', "[[1, 2]]",
    '{"tokens": -5, "cost": -1e300}', '{"tokens": 9223372036854775808}', "[9223372036854775808, 1]",
)


def spoiled(place: tuple[str | int, ...], worst: str) -> str:
    """The file with that text as the value of the place."""
    document = json.loads(json.dumps(FILE))
    value = document
    for part in place[:-1]:
        value = value[part]
    value[place[-1]] = "HERE"
    return json.dumps(document).replace('"HERE"', worst)


class Home:
    """One installation for all examples; every one has a project of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.studio: Studio = open_studio(paths_in(folder / "home"))
        self.count = 0

    async def project(self) -> Project:
        self.count += 1
        return await self.studio.projects.create(f"P{self.count}")

    def file(self, text: str) -> Path:
        path = self.folder / "plan.json"
        path.write_text(text, encoding="utf-8")
        return path


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    made = Home(tmp_path_factory.mktemp("worst"))
    yield made
    asyncio.run(made.studio.close())


async def judged(home: Home, project: Project, text: str) -> Review | None:
    """The file judged as `plan --file` does; None where it is refused, by one clear error."""
    studio = home.studio
    try:
        stage = await studio.planning.stage(project)
        written = read_plan_file(home.file(text))
        review = await studio.planning.judge(studio.planning.adopt(written, stage), stage.song)
        studio.session.approve(review, review.plan.hash, stage.revision)
    except BandleaderError as problem:
        refusal = problem
    else:
        return review
    assert refusal.what
    assert len(str(refusal)) < 5000
    return None


async def assert_free(home: Home, project: Project) -> None:
    """No run holds the project's song."""
    stored = await home.studio.projects.find(project.id)
    await home.studio.store.read(lambda transaction: refuse_while_running(transaction, stored.id))


async def begun(home: Home, project: Project, review: Review) -> Any:
    """A run of the plan, approved by its hash."""
    studio = home.studio
    stored = await studio.projects.find(project.id)
    stage = await studio.planning.stage(stored)
    return await studio.runs.start(
        review.plan, studio.session.approve(review, review.plan.hash, stage.revision), stored
    )


async def carried_through(home: Home, text: str) -> None:
    """Every way from the file to an end."""
    studio = home.studio
    for end in ("run", "resume", "cancel", "rollback"):
        project = await home.project()
        review = await judged(home, project, text)
        if review is None:
            await assert_free(home, project)
            return
        run = await begun(home, project, review)
        if end == "run":
            view = await studio.runs.host.carry_out(run, Cancellation())
        else:
            view = await crashed(studio, run, 1)
            if view.state is RunState.RUNNING:
                act = {"cancel": studio.runs.stopping.cancel, "rollback": studio.runs.rollback}.get(end)
                view = await (studio.runs.host.carry_out(run, Cancellation()) if act is None else act(run))
        assert view.state.ended, (end, view.state)
        assert "could not be recorded" not in (view.answer.text if view.answer else "")
        await assert_free(home, project)


@settings(max_examples=examples(600), suppress_health_check=list(HealthCheck))
@example(place=("used",), worst='{"tokens": -5, "cost": -1e300}')
@example(place=("used",), worst='{"tokens": 9223372036854775808}')
@example(place=("steps", 1, "inputs", "track_id"), worst=json.dumps("x" * 30_000))
@example(place=("asks", 0, "bars"), worst="[9223372036854775808, 1]")
@given(place=st.sampled_from(PLACES), worst=st.sampled_from(WORST))
def test_no_field_of_a_plan_file_can_hold_a_project(home: Home, place: tuple[str | int, ...], worst: str) -> None:
    asyncio.run(carried_through(home, spoiled(place, worst)))


async def run_as_approved(home: Home, place: tuple[str | int, ...], worst: str) -> None:
    """A file that was changed after its approval, run under that approval."""
    studio = home.studio
    project = await home.project()
    first = await judged(home, project, json.dumps(FILE))
    assert first is not None
    review = await judged(home, project, spoiled(place, worst))
    if review is None:
        return
    assert review.plan.hash == first.plan.hash
    view = await studio.runs.host.carry_out(await begun(home, project, review), Cancellation())
    assert view.state is RunState.COMPLETED
    assert view.used == (0, 0.0), "what the file says of its own cost counts for nothing"
    assert not view.plan.amended
    await assert_free(home, project)


def test_the_file_itself_runs_to_its_end(home: Home) -> None:
    asyncio.run(run_as_approved(home, ("hash",), '""'))
    asyncio.run(carried_through(home, json.dumps(FILE)))
    assert home.count >= 5, "none of these was refused"


@settings(max_examples=examples(150), suppress_health_check=list(HealthCheck))
@given(
    place=st.sampled_from([place for place in PLACES if place[0] in NOT_FROM_FILES]), worst=st.sampled_from(WORST),
)
def test_what_a_file_may_not_say_counts_for_nothing(home: Home, place: tuple[str | int, ...], worst: str) -> None:
    asyncio.run(run_as_approved(home, place, worst))

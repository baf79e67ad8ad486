"""A key goes through every fault and echo of a model's server, a plan, a run and an export: it is found nowhere."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from awaiting import awaited
from canaries import holders
from commandline import CommandLine
from key_rings import Memory
from model_plan_faults import STALLS, plan_fault
from model_plans import pad_rows, row, written
from model_server import FORMS, Answer, Asked, Calls, Form, ModelServer, Text, model_server
from model_wire_faults import FAULTS
from studios import approved, paths_in

from agent.errors import BandleaderError
from agent.plan.plan import Step
from agent.providers import retrying
from agent.review.review import Review
from agent.session.cancellation import Cancellation
from app.bootstrap import open_studio
from app.crash import reported
from app.storage.keyring import Keys
from app.studio.models import Chosen
from app.studio.studio import Studio

# Nothing that looks like a key: only who knows it can tell it from other words.
CANARY = "Canary9f3c71ab44d2e8x"
_GOAL: dict[str, Any] = {"tools": ["create_track"], "tracks": [], "accept": True}


def echoes() -> Iterator[Answer]:
    """What a server says that repeats the key which it was sent."""
    yield Text(CANARY)
    yield Text(f"Your key is {CANARY}.", "refused")
    yield Text(written(pad_rows(name=CANARY)))
    yield Text(written(pad_rows(), analysis=CANARY))
    yield Text(written([{**pad_rows()[0], "title": CANARY, "why": CANARY}, *pad_rows()[1:]]))
    yield Text(written([], question={"text": CANARY, "choices": [{"label": CANARY, "request": CANARY}] * 2}))
    yield Text(written(pad_rows())[:-2] + CANARY, "length")
    yield Calls(("get_track", {"track_id": CANARY}), (CANARY, {}), text=CANARY)
    yield Calls(("create_track", {"name": CANARY, "instrument": "pad_warm"}))
    yield Calls(("create_track", '{"name": "' + CANARY))


class House:
    """A studio over one home, and all that it said."""

    def __init__(self, studio: Studio, server: ModelServer, form: Form) -> None:
        self.studio, self.server, self.form = studio, server, form
        self.told: list[str] = []
        studio.planning.events.listen(lambda event: self.told.append(repr(event)))
        studio.runs.events.listen(lambda event: self.told.append(repr(event)))

    async def plan(self, answer: Answer) -> Review | None:
        """Plan with this answer, then with nothing else."""
        self.server.script = answer
        project = await self.studio.projects.find(None)
        stage = await self.studio.planning.stage(project)
        try:
            found = await self.studio.planning.propose("a warm pad", stage, chosen=Chosen(self.form, "m"), fresh=True)
        except BandleaderError as error:
            self._keep(error)
            return None
        self.told.append(repr(found))
        return found if isinstance(found, Review) else None

    async def work(self, answer: Answer) -> None:
        """Run a row that is left to the model, which answers so."""
        self.server.script = answer
        project = await self.studio.projects.find(None)
        goal = Step("g", "work_on", _GOAL, by="model", goal="add air", max_edits=2)
        run = await approved(self.studio, project, (goal,))
        plan = (await self.studio.runs.show(run)).plan
        async with self.studio.planners.worker(plan, Chosen(self.form, "m"), run) as worker:
            view = await self.studio.runs.host.carry_out(run, Cancellation(), worker)
        self.told.append(repr(view))

    def _keep(self, error: Exception) -> None:
        self.told += ["".join(traceback.format_exception(error)), repr(error), str(vars(error))]
        reported(error, self.studio.paths.logs)


@pytest.fixture
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for a server takes no time."""

    async def sleep(_: float) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(retrying, "RetryingProvider", partial(retrying.RetryingProvider, sleep=sleep))


@pytest.mark.parametrize("form", FORMS)
@awaited
async def test_no_fault_and_no_echo_leaves_the_key_anywhere(
    form: Form, tmp_path: Path, caplog: pytest.LogCaptureFixture, no_wait: None
) -> None:
    caplog.set_level(logging.DEBUG)
    with model_server([], size=7) as server:
        family = "ANTHROPIC" if form == "anthropic" else "OPENAI"
        environment = {f"{family}_BASE_URL": server.url(form), f"{family}_API_KEY": CANARY}
        studio = open_studio(paths_in(tmp_path), environment=environment, keys=Keys(backend=Memory()))
        house = House(studio, server, form)
        try:
            await studio.projects.create("Canary")
            kinds = FAULTS if form == "anthropic" else ("key_echoed", "bad_json", "server_error", "wrong_path")
            for fault in kinds:
                if fault not in STALLS and fault != "refused_connection":
                    await house.plan(plan_fault(fault, written(pad_rows()), "http://127.0.0.1:9"))
            for answer in echoes():
                await house.plan(answer)
                await house.work(answer)
            assert await house.plan(Text(written(pad_rows()))) is not None, "it still plans"
            requests = list(server.requests)
        finally:
            await studio.close()
    assert all(CANARY in str(asked.headers) for asked in requests), "the key was not used at all"
    assert not [asked for asked in requests if CANARY.encode() in asked.raw], "it goes into no prompt"
    assert not [one for one in house.told if CANARY in one]
    assert caplog.text
    assert CANARY not in caplog.text
    assert list((tmp_path / "logs").glob("crash-*.txt"))
    assert not holders(tmp_path, CANARY)


def test_a_plan_a_run_and_an_export_say_and_write_no_key(tmp_path: Path) -> None:
    goal = {**row("s3", "work_on", tools=["update_track"], tracks=["{{s1.track_id}}"]), "by": "model",
            "goal": "make the pad softer", "max_edits": 2}  # fmt: skip

    def script(asked: Asked) -> Answer:
        if "update_track" not in asked.tools:
            return Text(written([*pad_rows(), goal]))
        return Text(f"I know {CANARY}") if asked.results else Calls(("get_song", {"of": CANARY}), text=CANARY)

    said = []
    with model_server(script) as server:
        given = {"OPENAI_BASE_URL": server.url("openai"), "OPENAI_API_KEY": CANARY, "OPENAI_LOG": "debug",
                 "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}  # fmt: skip
        command_line, path = CommandLine(tmp_path / "home", given), tmp_path / "plan.json"
        model = ("--provider", "openai", "--model", "m")
        command_line.ask("projects", "new", "Canary")
        said.append(command_line.run("plan", "a warm pad", *model, "--out", str(path), "--json"))
        approve = ("--approve", said[0].json["hash"])
        said.append(command_line.run("run", str(path), *approve, *model, "--json"))
        run = said[1].json["run"]
        said.append(command_line.run("runs", "show", run, "--events", "--json"))
        said.append(command_line.run("export", "mid", "--out", str(tmp_path / "out.mid"), "--json"))
    assert {asked.key for asked in server.requests} == {CANARY}
    assert [one.status for one in said] == [0, 5, 0, 0], json.dumps([one.stderr[-300:] for one in said])
    assert not [one for one in said if CANARY in one.stdout + one.stderr]
    assert (tmp_path / "out.mid").exists()
    assert not holders(tmp_path, CANARY)

"""Machines as steps of a plan: foreseen as far as can be, asked side by side, and never told a secret by a plan."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from key_rings import Memory
from msgspec.structs import replace
from patience import PATIENCE
from ssh_machines import SshMachines, free_port, needs_sshd, ssh_machines
from studios import approved, carried_out, paths_in
from wsman_stand_in import PASSWORD, USER, windows

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Step
from agent.review.review import Review
from agent.session.cancellation import Cancellation
from agent.session.events import Event, StepStarted
from app.bootstrap import open_studio
from app.storage import machines as store
from app.storage.keyring import Keys
from app.storage.machines import Machine, MachineDetails
from app.studio.studio import Studio

FIND = Step("s1", "query_machines", {"tags": ["win10"]})
ASK = Step("s2", "disk_space", {"machine": "{{item.machine}}"}, for_each="{{s1.items}}")
HERE = Machine("mix-room", "192.0.2.7", 22, "studio", tags=("win10",))


@pytest.fixture
def ring() -> Memory:
    return Memory()


@pytest.fixture
def studio(tmp_path: Path, ring: Memory) -> Iterator[Studio]:
    opened = open_studio(paths_in(tmp_path / "home"), keys=Keys(backend=ring))
    yield opened
    asyncio.run(opened.close())


@pytest.fixture(scope="module")
def rack() -> Iterator[SshMachines]:
    with ssh_machines() as made:
        yield made


def add(studio: Studio, *machines: Machine) -> None:
    """Machines as they are after they were added and pinned."""
    asyncio.run(studio.machines.add(replace(HERE, name="first")))
    for machine in machines:
        asyncio.run(studio.store.write(lambda transaction, one=machine: store.put(transaction, one)))
    asyncio.run(studio.machines.forget("first"))


async def judged(studio: Studio, *steps: Step) -> Review:
    project = await studio.projects.draft("rack")
    stage = await studio.planning.stage(project)
    return await studio.planning.judge(studio.planning.adopt(Plan(steps), stage), stage.song)


def marks(studio: Studio, *steps: Step) -> list[tuple[str, str, str]]:
    found = asyncio.run(judged(studio, *steps)).plan.lint
    return [(one.step, one.rule, f"{one.message} {one.fix}") for one in found if one.level == "error"]


def test_what_is_in_the_inventory_is_foreseen_and_what_a_machine_says_is_not(studio: Studio) -> None:
    add(studio, HERE, replace(HERE, name="booth", tags=("WIN10", "loud")), replace(HERE, name="desk", tags=()))
    seen = asyncio.run(judged(studio, FIND, ASK)).preview
    assert [one["machine"] for one in seen.row("s1").result["items"]] == ["booth", "mix-room"]
    assert seen.row("s2").unseen
    assert marks(studio, FIND, ASK) == []


def test_a_machine_that_is_not_in_the_inventory_is_refused_before_anything_runs(studio: Studio) -> None:
    add(studio, HERE)
    [(step, _, said)] = marks(studio, Step("s1", "disk_space", {"machine": "elsewhere"}))
    assert step == "s1"
    assert "no machine called 'elsewhere'" in said
    assert marks(studio, Step("s1", "disk_space", {"machine": "10.0.0.1; rm -rf /"}))
    assert marks(studio, Step("s1", "disk_space", {"machine": "mix-room", "command": "del"}))


@pytest.mark.parametrize(
    "inputs",
    [
        {"machine": "mix-room", "username": "admin_user", "password": "hunter2"},
        {"machine": "mix-room", "user": "admin", "pass": "hunter2"},
        {"machine": "mix-room", "credentials": {"login": "admin", "pw": "hunter2"}},
        {"machine": "admin:hunter2@mix-room.local"},
        {"machine": "ssh://admin:hunter2@mix-room"},
        {"machine": "mix-room", "volume": "C: -Password hunter2"},
    ],
    ids=repr,
)
def test_a_literal_password_in_a_plan_refuses_it_and_is_not_repeated(inputs: dict[str, Any], studio: Studio) -> None:
    add(studio, HERE)
    found = marks(studio, Step("s1", "disk_space", inputs))
    assert [(step, rule) for step, rule, _ in found] == [("s1", "secret")]
    assert "hunter2" not in repr(found)


def running(view: Any) -> dict[str, StepState]:
    return {row.step: row.state for row in view.rows}


@needs_sshd
def test_twenty_machines_are_asked_four_at_a_time(studio: Studio, rack: SshMachines) -> None:
    log = rack.place / "live"
    log.touch()
    log.chmod(0o666)
    busy = rack.start(f"echo + >> {log}; sleep 0.3; df -Pk; echo - >> {log}")
    add(studio, *(rack.of(busy, f"m{number:02}", tags=("win10",)) for number in range(20)))
    view = asyncio.run(carried(studio, FIND, ASK))
    assert view.state == "COMPLETED"
    live = [sum(1 if sign == "+" else -1 for sign in log.read_text().split()[: end + 1]) for end in range(40)]
    assert max(live) == 4
    assert [one["machine"] for one in results(view, "s2")] == [f"m{number:02}" for number in range(20)]


@needs_sshd
def test_a_machine_that_is_down_is_named_and_the_others_answer(studio: Studio, rack: SshMachines) -> None:
    there = rack.start_windows()
    here = rack.of(there, "booth", system="windows", tags=("win10",))
    add(studio, here, replace(here, name="down", port=free_port()))
    after = Step("s3", "free_memory", {"machine": "booth"})
    view = asyncio.run(carried(studio, FIND, ASK, after))
    assert view.state == "PARTIAL"
    assert running(view) == {"s1": StepState.DONE, "s2": StepState.PARTIAL, "s3": StepState.DONE}
    assert [(one["machine"], one["volume"]) for one in results(view, "s2")] == [("booth", "C:")]
    [failed] = [one for one in view.items if one.state is StepState.FAILED]
    assert failed.inputs == {"machine": "down"}
    assert "machine down cannot be reached" in failed.reason


@needs_sshd
def test_a_connection_that_was_refused_is_tried_again_where_the_plan_says_so(
    studio: Studio, rack: SshMachines
) -> None:
    there = rack.start_windows()
    there.stop()
    add(studio, rack.of(there, "booth", system="windows"))
    tried = Step("s1", "disk_space", {"machine": "booth"}, retry=2)

    def listen(event: Event) -> None:
        if type(event).__name__ == "Retrying":
            there.start()

    studio.runs.events.listen(listen)
    assert running(asyncio.run(carried(studio, tried))) == {"s1": StepState.DONE}


@needs_sshd
def test_a_run_that_is_cancelled_leaves_a_slow_machine_within_a_second(studio: Studio, rack: SshMachines) -> None:
    slow = rack.start("sleep 30")
    add(studio, rack.of(slow, "slow"))
    cancellation = Cancellation()

    def listen(event: Event) -> None:
        if isinstance(event, StepStarted):
            asyncio.get_running_loop().call_later(0.3, cancellation.cancel)

    async def cancelled() -> Any:
        studio.runs.events.listen(listen)
        project = await studio.projects.create("rack")
        run = await approved(studio, project, (Step("s1", "disk_space", {"machine": "slow"}),))
        carrying = asyncio.create_task(studio.runs.host.carry_out(run, cancellation))
        await cancellation.wait()
        done, _ = await asyncio.wait({carrying}, timeout=PATIENCE)
        assert done, "it went on for more than a second"
        return carrying.result()

    assert asyncio.run(cancelled()).state == "CANCELLED"


def test_the_same_over_winrm_against_a_stand_in_that_is_not_windows(
    studio: Studio, tmp_path: Path, ring: Memory
) -> None:
    said = '{"system":"C:","volumes":[{"name":"C","size":1000,"free":250}]}'
    with windows(tmp_path, lambda _: [said]) as there:
        details = MachineDetails("", str(there.certificate), "basic")
        booth = Machine("booth", "127.0.0.1", there.port, USER, "winrm", "windows", ("win10",), details=details)
        add(studio, booth, replace(booth, name="desk"), replace(booth, name="off", port=free_port()))
        for name in ("booth", "desk", "off"):
            ring.set_password("bandleader", f"machine:{name}", PASSWORD)
        view = asyncio.run(carried(studio, FIND, ASK))
    assert view.state == "PARTIAL"
    assert [(one["machine"], one["volume"], one["share"]) for one in results(view, "s2")] == [
        ("booth", "C:", 0.75), ("desk", "C:", 0.75),
    ]
    [failed] = [one for one in view.items if one.state is StepState.FAILED]
    assert "machine off cannot be reached" in failed.reason


async def carried(studio: Studio, *steps: Step) -> Any:
    return await carried_out(studio, await studio.projects.create("rack"), steps)


def results(view: Any, step: str) -> list[dict[str, Any]]:
    [row] = [row for row in view.rows if row.step == step]
    found: list[dict[str, Any]] = row.result["items"]
    return found

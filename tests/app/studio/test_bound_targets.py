"""An approval holds for what a name stood for: a machine or server that became another one since is not reached."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from awaiting import awaited
from key_rings import Memory
from mcp_servers import odd
from msgspec.structs import replace
from studios import approved, paths_in

from agent.plan.plan import Step
from agent.session.cancellation import Cancellation
from agent.song.ids import RunId
from app.bootstrap import open_studio
from app.storage.keyring import Keys
from app.storage.machines import Machine, MachineDetails
from app.studio.integrations.machines import HostKey
from app.studio.integrations.server_drafts import ServerDraft
from app.studio.studio import Studio

ASK = Step("s1", "disk_space", {"machine": "booth"})
EACH = Step("s2", "disk_space", {"machine": "{{item.machine}}"}, for_each="{{s1.items}}")
MOVED = "its tool disk_space, or what that reaches, has changed since the plan was approved"


class Port:
    """A port of this computer that hangs up on everyone, and how many came."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.number: int = self._socket.getsockname()[1]
        self.came = 0
        self._thread = threading.Thread(target=self._hang_up)
        self._thread.start()

    def _hang_up(self) -> None:
        with suppress(OSError):
            while True:
                self._socket.accept()[0].close()
                self.came += 1

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


@pytest.fixture
def port() -> Iterator[Port]:
    made = Port()
    yield made
    made.close()


@pytest.fixture
def keys() -> Keys:
    return Keys(backend=Memory())


@pytest.fixture
def studio(tmp_path: Path, keys: Keys) -> Iterator[Studio]:
    opened = open_studio(paths_in(tmp_path / "home"), environment={}, keys=keys)
    yield opened
    asyncio.run(opened.close())


@pytest.fixture
def other(tmp_path: Path, studio: Studio, keys: Keys) -> Iterator[Studio]:
    """Another program over the same home."""
    opened = open_studio(paths_in(tmp_path / "home"), environment={}, keys=keys)
    yield opened
    asyncio.run(opened.close())


def a_key() -> str:
    """The public key of some machine."""
    return asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().strip()


def booth(port: Port) -> Machine:
    return Machine("booth", "127.0.0.1", port.number, "studio", host_key=a_key())


async def begun(studio: Studio, *steps: Step) -> RunId:
    name = (await studio.projects.draft("rack")).name
    return await approved(studio, await studio.projects.create(name), steps)


async def ended(studio: Studio, run: RunId) -> list[tuple[str, str]]:
    """State and reason of each row."""
    view = await studio.runs.host.carry_out(run, Cancellation())
    return [(row.state.value, row.reason) for row in view.rows]


CHANGES: dict[str, Callable[[Machine], Machine]] = {
    "address": lambda one: replace(one, address="localhost"),
    "port": lambda one: replace(one, port=1),
    "user": lambda one: replace(one, user="root"),
    "system": lambda one: replace(one, system="macos"),
    "folders": lambda one: replace(one, details=MachineDetails(folders=("/srv",))),
}


@pytest.mark.semantics("1.4")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@awaited
async def test_a_machine_that_changed_since_the_approval_waits_for_another(
    change: Callable[[Machine], Machine], studio: Studio, port: Port
) -> None:
    there = await studio.machines.add(booth(port), "a password")
    runs = [await begun(studio, ASK) for _ in range(2)]
    before = {one: (await studio.runs.show(one)).plan.hash for one in runs}
    assert (await ended(studio, runs[0]))[0][0] == "failed", "nobody speaks there"
    assert port.came == 1
    await studio.machines.change(change(there))
    assert await ended(studio, runs[1]) == [("needs_review", MOVED)]
    assert port.came == 1
    again = await begun(studio, ASK)
    assert (await studio.runs.show(again)).plan.hash not in before.values(), "a new approval is for another hash"


@pytest.mark.semantics("1.4")
@awaited
async def test_a_machine_with_another_key_or_forgotten_and_added_anew_is_another(studio: Studio, port: Port) -> None:
    there = await studio.machines.add(booth(port), "a password")
    runs = [await begun(studio, ASK) for _ in range(2)]
    shown = replace(there, host_key=a_key())
    await studio.machines.pin("booth", HostKey(str(shown.host_key), "SHA256:new"))
    assert await ended(studio, runs[0]) == [("needs_review", MOVED)]
    await studio.machines.forget("booth")
    await studio.machines.add(shown, "a password")
    assert await ended(studio, runs[1]) == [("needs_review", MOVED)]
    assert port.came == 0


@pytest.mark.semantics("1.4")
@awaited
async def test_another_program_that_changes_a_machine_in_between_is_noticed_at_the_call(
    studio: Studio, other: Studio, port: Port
) -> None:
    there = await studio.machines.add(booth(port), "a password")
    run = await begun(studio, ASK)
    await other.machines.change(replace(there, address="localhost"))
    reason = "machine booth was not asked (it is reached in another way than when the plan was approved)"
    assert await ended(studio, run) == [("failed", reason)]
    assert port.came == 0


@pytest.mark.semantics("1.4")
@awaited
async def test_other_machines_bear_on_no_row_that_names_one_but_on_those_that_may_reach_any(
    studio: Studio, port: Port
) -> None:
    there = await studio.machines.add(booth(port), "a password")
    named = await begun(studio, ASK)
    every = await begun(studio, Step("s1", "query_machines", {}), EACH)
    await studio.machines.tag("booth", add=("loud",))
    await studio.machines.add(replace(there, name="attic"), "a password")
    assert (await ended(studio, named))[0][0] == "failed"
    assert port.came == 1
    assert await ended(studio, every) == [("done", ""), ("needs_review", f"2 of 2 items are in doubt: {MOVED}")]
    assert port.came == 1


@pytest.mark.semantics("1.4")
@awaited
async def test_a_server_that_was_added_anew_with_another_command_is_another(studio: Studio, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()

    async def add(folder: Path, **given: Any) -> None:
        draft = ServerDraft("odd", odd(folder, **given), {})
        await studio.servers.add(draft, await studio.servers.look(draft))

    await add(folders[0])
    run = await begun(studio, Step("s1", "odd__say", {"text": "hello"}))
    await studio.servers.forget("odd")
    await add(folders[1])
    [(state, reason)] = await ended(studio, run)
    assert (state, "odd__say, or what that reaches, has changed" in reason) == ("needs_review", True)
    assert not [call for folder in folders for call in folder.glob("call-*")]

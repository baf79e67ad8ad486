"""The report of all C drives of machines with a tag, through the real command line over real SSH and a real keyring.

Windows machines are real `sshd`s in front of a pretended PowerShell, or the stand-in for WinRM: neither is Windows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine
from model_plans import row, written
from model_server import Asked, Text, model_server
from secret_service import needs_secret_service, with_secret_service
from ssh_machines import (
    C_FREE,
    C_SIZE,
    PASSWORD,
    Silent,
    SshMachine,
    SshMachines,
    needs_passwords,
    needs_sshd,
    ssh_machines,
)

from app.paths import find_paths

REQUEST = "Give me a report showing the size of all C drives for all assets tagged as win10"
REPORT = find_paths().resources / "plans" / "disk-report.json"
NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}

pytestmark = needs_sshd


@pytest.fixture
def rack() -> Iterator[SshMachines]:
    with ssh_machines() as made:
        yield made


def words(machine: SshMachine, name: str, *more: str) -> tuple[str, ...]:
    """The command that adds a Windows machine with the tag."""
    return (
        "machines", "add", name, "--address", "127.0.0.1", "--port", str(machine.port), "--user", machine.user,
        "--system", "windows", "--tag", "win10", "--yes", *more,
    )


def drives(run: dict[str, Any]) -> tuple[dict[str, tuple[str, int, int]], list[str]]:
    """The C drives that a run found, by machine, and why others are missing."""
    [step] = [step for step in run["steps"] if step["tool"] == "disk_space"]
    found = [one["result"] for one in step["items"] if one["state"] == "done"]
    missing = [one["reason"] for one in step["items"] if one["state"] == "failed"]
    return {one["machine"]: (one["volume"], one["size"], one["free"]) for one in found}, missing


@needs_passwords
@needs_secret_service
def test_the_report_over_five_machines_three_of_which_are_not_well(rack: SshMachines, tmp_path: Path) -> None:
    booth, desk, off, stuck, changed = (rack.start_windows() for _ in range(5))
    said: list[str] = []

    def in_keyring(*command: str, stdin: str = "") -> Any:
        done = with_secret_service(tmp_path, sys.executable, "-m", "app", *command, "--json", stdin=stdin)
        said.append(done.stdout + done.stderr)
        return json.loads(done.stdout)

    kept = in_keyring(*words(booth, "booth", "--password"), stdin=f"{PASSWORD}\n")
    assert kept["host_key_pinned"]
    in_keyring(*words(desk, "desk", "--key-file", str(rack.locked_key), "--password"), stdin=f"{PASSWORD}\n")
    command_line = CommandLine(tmp_path / "bandleader", NO_KEYRING)
    for machine, name in ((off, "off"), (stuck, "stuck"), (changed, "changed")):
        command_line.ask(*words(machine, name, "--key-file", str(rack.key)))
    off.stop()
    stuck.stop()
    changed.change_host_key()
    silent = Silent(stuck.port)
    try:
        command_line.ask("projects", "new", "Studio")
        plan = command_line.ask("plan", "--file", str(REPORT), "--out", str(tmp_path / "bound.json"))
        assert [step["tool"] for step in plan["steps"]] == ["query_machines", "disk_space"]
        run = in_keyring("run", str(tmp_path / "bound.json"), "--approve", plan["hash"])
    finally:
        silent.close()
    assert run["state"] == "PARTIAL"
    found, missing = drives(run)
    assert found == dict.fromkeys(("booth", "desk"), ("C:", C_SIZE, C_FREE))
    assert len(missing) == 3
    assert "machine changed shows another host key" in missing[0]
    assert "machine off cannot be reached" in missing[1]
    assert "machine stuck does not answer in time" in missing[2]
    held = [file for file in command_line.home.rglob("*") if file.is_file() and PASSWORD.encode() in file.read_bytes()]
    assert held == []
    assert not any(PASSWORD in one for one in said)
    assert PASSWORD not in repr(command_line.content())


def test_the_same_is_planned_by_a_model_from_the_tools_that_it_is_offered(rack: SshMachines, tmp_path: Path) -> None:
    offered: list[str] = []

    def script(asked: Asked) -> Text:
        offered.append(asked.raw.decode())
        find = row("s1", "query_machines", tags=["win10"])
        ask = {**row("s2", "disk_space", machine="{{item.machine}}"), "for_each": "{{s1.items}}"}
        return Text(written([find, ask]))

    booth, other = rack.start_windows(), rack.start_windows()
    with model_server(script) as server:
        command_line = CommandLine(tmp_path / "home", {**NO_KEYRING, "OPENAI_API_KEY": "sk-canary-9c1d7e5b3f20486aa1",
                                                       "OPENAI_BASE_URL": server.url("openai")})  # fmt: skip
        for machine, name in ((booth, "booth"), (other, "other")):
            command_line.ask(*words(machine, name, "--key-file", str(rack.key)))
        command_line.ask("machines", "tag", "other", "--remove", "win10")
        command_line.ask("projects", "new", "Studio")
        out = str(tmp_path / "plan.json")
        plan = command_line.ask("plan", REQUEST, "--provider", "openai", "--model", "model-one", "--out", out)
        assert "query_machines" in offered[0]
        assert "disk_space" in offered[0]
        assert [step["tool"] for step in plan["steps"]] == ["query_machines", "disk_space"]
        run = command_line.ask("run", out, "--approve", plan["hash"])
    assert run["state"] == "COMPLETED"
    assert drives(run) == ({"booth": ("C:", C_SIZE, C_FREE)}, [])


def test_without_a_machine_there_are_no_such_tools(tmp_path: Path) -> None:
    command_line = CommandLine(tmp_path / "home", NO_KEYRING)
    command_line.ask("projects", "new", "Studio")
    error = command_line.refused(2, "plan", "--file", str(REPORT))
    assert "query_machines" in error["what"]
    assert command_line.ask("machines", "list") == {"machines": [], "damaged": {}}

"""A Windows machine over WinRM. All of this runs against a stand-in, which is not Windows: see `wsman_stand_in`."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from patience import PATIENCE
from ssh_machines import Silent, free_port
from wsman_stand_in import PASSWORD, USER, Windows, windows

from app.services.machines import winrm
from app.services.machines.asking import MachineClient
from app.services.machines.commands import Question
from app.services.machines.errors import MachineError, MachineRefuses, NotAnswering
from app.services.machines.figures import Folder
from app.storage.machines import Machine, MachineDetails

C = {"name": "C", "size": 512_000_000_000, "free": 128_000_000_000}


def powershell(script: str) -> list[str]:
    """What the scripts are answered with; JSON may come in several lines."""
    if "Get-Volume" in script:
        return ['{"system":"C:",', json.dumps({"volumes": [C]})[1:]]
    if "Win32_OperatingSystem" in script:
        return ['{"size":16000000,"free":4000000}']
    if "Get-Process" in script:
        return ['{"items":[{"name":"Ableton Live 12","pid":7,"memory":9000}]}']
    return ['{"items":[{"found":true,"size":12345,"files":3}]}']


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Windows]:
    with windows(tmp_path, powershell) as machine:
        yield machine


def of(there: Windows, *folders: str) -> Machine:
    details = MachineDetails("", str(there.certificate), "basic", folders)
    return Machine("booth", "127.0.0.1", there.port, USER, "winrm", "windows", details=details)


def ask(machine: Machine, question: Question = "disk_space", password: str | None = PASSWORD) -> Any:
    return asyncio.run(MachineClient(lambda _: password).ask(machine, question))


def test_all_questions(there: Windows) -> None:
    machine = of(there, "D:\\Samples")
    disk = ask(machine)
    assert (disk.machine, disk.volume, disk.size, disk.free) == ("booth", "C:", C["size"], C["free"])
    assert ask(machine, "free_memory").size == 16000000 * 1024
    assert [one.name for one in ask(machine, "audio_processes").items] == ["Ableton Live 12"]
    assert ask(machine, "library_sizes").items == (Folder("D:\\Samples", 12345, 3),)
    assert "-LiteralPath $f" in there.scripts[-1]


def test_the_password_is_in_no_log(there: Windows, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        ask(of(there))
    assert PASSWORD not in caplog.text


def test_a_wrong_password(there: Windows) -> None:
    with pytest.raises(MachineRefuses, match="does not let studio in") as caught:
        ask(of(there), password="another")
    assert not caught.value.transient
    assert "another" not in f"{caught.value}"
    with pytest.raises(MachineRefuses, match="cannot be sent"):
        ask(of(there), password="ключ")
    with pytest.raises(MachineRefuses, match="there is no password of machine booth"):
        ask(of(there), password=None)


def test_a_certificate_that_nobody_vouches_for_is_shown_no_password(there: Windows) -> None:
    machine = of(there)
    with pytest.raises(MachineRefuses, match="certificate of machine booth"):
        ask(replace(machine, details=replace(machine.details, ca_file="")))
    assert there.asked == 0


@pytest.mark.parametrize(("status", "said"), [(500, "WSMan code 2150859046"), (503, "HTTP status 503")])
def test_a_fault_is_told_without_the_words_of_the_other_side(status: int, said: str, there: Windows) -> None:
    there.status = status
    with pytest.raises(MachineError, match="machine booth") as caught:
        ask(of(there))
    assert said in str(caught.value)
    assert "secret words" not in str(caught.value)


def test_an_error_record_is_a_failure_though_the_script_came_to_its_end(there: Windows) -> None:
    there.error = "the volume is not there"
    with pytest.raises(MachineError, match="the command on machine booth failed") as caught:
        ask(of(there))
    assert "NotThere" in str(caught.value)
    assert str(caught.value).isprintable()


def test_nonsense(there: Windows, monkeypatch: pytest.MonkeyPatch) -> None:
    there.answer = lambda _: ['{"system":"C:","volumes":[{"name":"C","size":-1,"free":2}]}']
    with pytest.raises(MachineError, match="no answer that can be read"):
        ask(of(there))
    # The stand-in takes a second for each megabyte; what is read is counted alike.
    monkeypatch.setattr(winrm, "MOST_BYTES", 1_000_000)
    there.answer = lambda _: ["x" * 100_000] * 12
    with pytest.raises(MachineError, match="says too much"):
        ask(of(there))


def test_a_machine_that_hangs_is_left_after_its_time_and_at_once_when_cancelled(there: Windows) -> None:
    there.hangs = threading.Event()

    async def hung(cancel: bool) -> BaseException | None:
        asking = asyncio.create_task(winrm.run(of(there), "x", PASSWORD, 30.0 if cancel else 0.5))
        while not there.asked:
            await asyncio.sleep(0.02)
        if cancel:
            asking.cancel()
        await asyncio.wait({asking}, timeout=PATIENCE)
        return asking.exception() if asking.done() and not asking.cancelled() else None

    problem = asyncio.run(hung(cancel=False))
    assert isinstance(problem, NotAnswering)
    there.asked = 0
    assert asyncio.run(hung(cancel=True)) is None
    there.hangs.set()
    for thread in threading.enumerate():
        if thread.name == "machine booth":
            thread.join(20)
            assert not thread.is_alive(), "the threads that were left have ended"
    assert not there.scripts, "and have done nothing more"


def test_nobody_there(there: Windows) -> None:
    with pytest.raises(NotAnswering, match="cannot be reached"):
        ask(replace(of(there), port=free_port()))
    silent = Silent(0)
    try:
        with pytest.raises(NotAnswering, match="in time"):
            asyncio.run(winrm.run(replace(of(there), port=silent.port), "x", PASSWORD, 0.5))
    finally:
        silent.close()

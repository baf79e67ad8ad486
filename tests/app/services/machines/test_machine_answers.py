"""What machines say is read strictly: true answers as they are, and of anything else a clear error."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.services.machines.asking import read_answer
from app.services.machines.audio_names import plays_music
from app.services.machines.commands import Question, over_ssh, powershell_text, script
from app.services.machines.errors import MachineError
from app.services.machines.figures import AudioProcesses, DiskSpace, FreeMemory, LibrarySizes
from app.storage.machines import Machine, MachineDetails, System

LINUX_DF = """\
Filesystem     1024-blocks      Used Available Capacity Mounted on
udev               8000000         0   8000000       0% /dev
tmpfs              1600000      2000   1598000       1% /run
/dev/nvme0n1p2   100000000  60000000  35000000      64% /
/dev/loop3           60000     60000         0     100% /snap/core/1
nas:/volume 1    900000000 100000000 800000000      12% /mnt/my samples
"""
MAC_DF = """\
Filesystem     1024-blocks      Used Available Capacity  Mounted on
/dev/disk3s1s1   971350180  10000000 500000000     2%    /
devfs                  200       200         0   100%    /dev
/dev/disk3s5     971350180 400000000 500000000    45%    /System/Volumes/Data
map auto_home            0         0         0   100%    /System/Volumes/Data/home
/dev/disk5s1     100000000  10000000  90000000    10%    /Volumes/Samples
"""
VM_STAT = """\
17179869184
Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                               10000.
Pages active:                            400000.
Pages inactive:                          200000.
Pages speculative:                         5000.
Pages purgeable:                           1000.
"Translation faults":                 123456789.
"""
QUESTIONS: tuple[Question, ...] = ("disk_space", "free_memory", "audio_processes", "library_sizes")
SYSTEMS: tuple[System, ...] = ("linux", "macos", "windows")


def machine(system: System = "linux", *folders: str) -> Machine:
    details = MachineDetails(folders=folders)
    return Machine("studio", "127.0.0.1", 22, "me", "ssh", system, details=details)


def read(system: System, question: Question, text: str, *folders: str) -> Any:
    return read_answer(machine(system, *folders), question, text)


def test_disks_of_linux() -> None:
    found = read("linux", "disk_space", LINUX_DF)
    assert (found.volume, found.size, found.free) == ("/", 100000000 * 1024, 35000000 * 1024)
    assert (found.used, found.share) == (65000000 * 1024, 0.65)
    assert [one.name for one in found.volumes] == ["/", "/mnt/my samples"]


def test_disks_of_macos() -> None:
    found = read("macos", "disk_space", MAC_DF)
    assert (found.volume, found.free) == ("/", 500000000 * 1024)
    assert [one.name for one in found.volumes] == ["/", "/Volumes/Samples"]


def test_memory_of_macos() -> None:
    found = read("macos", "free_memory", VM_STAT)
    assert (found.size, found.free) == (17179869184, 216000 * 16384)


def test_processes_of_macos_are_known_by_the_end_of_their_path() -> None:
    text = "  1   100  0.0 /sbin/launchd\n 77 50000 12.5 /Applications/Logic Pro.app/Contents/MacOS/Logic Pro\n"
    [found] = read("macos", "audio_processes", text).items
    assert (found.name, found.pid, found.memory, found.cpu) == ("Logic Pro", 77, 50000 * 1024, 12.5)


@pytest.mark.parametrize("name", ["REAPER", "reaper.exe", "Ardour-8.6.0", "Cubase13", "BitwigStudio", "FL64", "Live"])
def test_programs_that_make_music(name: str) -> None:
    assert plays_music(name)


@pytest.mark.parametrize("name", ["svchost", "python3", "livereload", "sh", "", "olive"])
def test_programs_that_do_not(name: str) -> None:
    assert not plays_music(name)


@pytest.mark.parametrize(
    ("system", "question", "text"),
    [
        ("linux", "disk_space", "Filesystem\n"),
        ("linux", "disk_space", "Filesystem\n/dev/sda1 10 5 5 50% /home\n"),
        ("linux", "disk_space", "Filesystem\n/dev/sda1 99999999999999999999 5 5 50% /\n"),
        ("linux", "free_memory", "MemTotal: 0 kB\nMemFree: 0 kB\n"),
        ("linux", "free_memory", "MemFree: 10 kB\n"),
        ("macos", "free_memory", "17179869184\nPages free: 1.\n"),
        ("linux", "audio_processes", "1 2 reaper\n"),
        ("linux", "library_sizes", "1 2\n3 4\n"),
        ("linux", "library_sizes", "-1 2\n"),
        ("windows", "disk_space", '{"system":"C:","volumes":[]}'),
        ("windows", "disk_space", '{"system":"C:","volumes":[{"name":"C:","size":1,"free":1}]}'),
        ("windows", "free_memory", '{"size":0,"free":0}'),
        ("windows", "free_memory", '{"size":1e400,"free":0}'),
        ("windows", "library_sizes", '{"items":[]}'),
        ("windows", "audio_processes", '{"items":[{"name":"reaper","pid":-1,"memory":1}]}'),
        ("windows", "audio_processes", "[" * 100_000),
    ],
)
def test_nonsense_is_an_error_that_names_the_machine(system: System, question: Question, text: str) -> None:
    with pytest.raises(MachineError, match="machine studio gave no answer") as caught:
        read(system, question, text, "/a")
    assert str(caught.value).isprintable()


@given(st.sampled_from(SYSTEMS), st.sampled_from(QUESTIONS), st.text())
def test_any_text_is_an_answer_or_an_error(system: System, question: Question, text: str) -> None:
    kinds = DiskSpace | FreeMemory | AudioProcesses | LibrarySizes
    with suppress(MachineError):
        assert isinstance(read(system, question, text, "/a"), kinds)


@given(st.lists(st.tuples(st.integers(0, 2**50), st.integers(0, 2**50)), min_size=1, max_size=20))
def test_figures_of_a_volume_always_fit_together(pairs: list[tuple[int, int]]) -> None:
    volumes = [{"name": chr(65 + n), "size": size, "free": free} for n, (size, free) in enumerate(pairs)]
    found = read("windows", "disk_space", json.dumps({"system": "A:", "volumes": volumes}))
    for one in found.volumes:
        assert 0 <= one.free <= one.size
        assert one.used == one.size - one.free
        assert 0 <= one.share <= 1


@given(st.text(max_size=60))
def test_a_folder_stays_one_text_of_powershell(name: str) -> None:
    quoted = powershell_text(name)
    inner = quoted[1:-1]
    for quote in "'‘’‚‛":
        inner = inner.replace(quote * 2, "")
    assert not set(inner) & set("'‘’‚‛")


def test_a_command_for_windows_is_not_longer_than_windows_takes() -> None:
    many = tuple(f"D:\\{n:03}" + "x" * 380 for n in range(20))
    with pytest.raises(MachineError, match="too many folders"):
        over_ssh(machine("windows", *many), "library_sizes")
    for question in QUESTIONS:
        assert len(over_ssh(machine("windows", "D:\\Samples"), question).line) < 8000


def test_scripts_hold_nothing_but_the_folders_that_are_set() -> None:
    plain = machine("linux", "/srv/samples")
    assert "/srv/samples" in script(plain, "library_sizes")
    for question in QUESTIONS[:3]:
        assert script(plain, question) == script(machine("linux"), question)
        assert over_ssh(plain, question).line == "/bin/sh -s"

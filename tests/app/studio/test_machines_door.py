"""The inventory of studio machines: what is kept, what is refused, and that nothing of it is there by itself."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from key_rings import Locked, Memory
from msgspec.structs import replace
from studios import paths_in

from agent.errors import BandleaderError
from agent.fixes import FixKind
from app.bootstrap import open_studio
from app.storage.errors import Damaged, KeyringError
from app.storage.keyring import Keys
from app.studio.errors import StudioError
from app.studio.integrations.machines import HostKey, Machine, MachineDetails
from app.studio.studio import Studio

ROOT = Path(__file__).parents[3]
PASSWORD = " canary wörd 9f3c71ab "
MIX = Machine("mix-room", "192.0.2.7", 22, "studio", tags=("Win10", "win10", "mix"))
TOOLS = ["query_machines", "disk_space", "free_memory", "audio_processes", "library_sizes"]


@pytest.fixture
def ring() -> Memory:
    return Memory()


@pytest.fixture
def studio(tmp_path: Path, ring: Memory) -> Iterator[Studio]:
    opened = open_studio(paths_in(tmp_path / "home"), keys=Keys(backend=ring))
    yield opened
    asyncio.run(opened.close())


def tools(studio: Studio) -> list[str]:
    return [name for name, tool in studio.registry.tools.items() if tool.service == "machines"]


def test_the_service_is_there_while_there_is_a_machine(studio: Studio, tmp_path: Path, ring: Memory) -> None:
    assert tools(studio) == []
    asyncio.run(studio.machines.add(MIX))
    assert tools(studio) == TOOLS
    again = open_studio(paths_in(tmp_path / "home"), keys=Keys(backend=ring))
    assert tools(again) == TOOLS
    asyncio.run(again.close())
    asyncio.run(studio.machines.forget("mix-room"))
    assert tools(studio) == []
    asyncio.run(studio.machines.add(MIX))
    assert tools(studio) == TOOLS


def test_the_plug_in_is_read_once_there_is_a_machine(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys\nfrom pathlib import Path\n"
        "from studios import paths_in\nfrom app.bootstrap import open_studio\n"
        "from app.storage.machines import Machine\n"
        "studio = open_studio(paths_in(Path(sys.argv[1])), environment={})\n"
        "room = lambda: 'app.services.machines.machines_service' in sys.modules\nprint(room())\n"
        "asyncio.run(studio.machines.add(Machine('mix', '192.0.2.7', 22, 'studio')))\nprint(room())\n"
        "asyncio.run(studio.close())"
    )
    words, found = [sys.executable, "-c", code, str(tmp_path)], {**os.environ, "PYTHONPATH": f"{ROOT}/tests/support"}
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT, env=found)
    assert done.stdout.split() == ["False", "True"], done.stderr


def test_no_library_is_read_before_a_machine_is_asked() -> None:
    code = (
        "import sys, app.cli.machines, app.studio.integrations.machines, app.services.machines.winrm\n"
        "print([name for name in ('asyncssh', 'pypsrp', 'requests', 'cryptography') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_machine_is_kept_and_its_password_is_in_the_keyring_alone(
    studio: Studio, ring: Memory, tmp_path: Path
) -> None:
    asyncio.run(studio.machines.add(MIX, PASSWORD))
    [kept] = asyncio.run(studio.machines.all()).machines
    assert (kept.name, kept.address, kept.tags) == ("mix-room", "192.0.2.7", ("Win10", "mix"))
    assert ring.kept == {("bandleader", "machine:mix-room"): PASSWORD}
    held = [file for file in (tmp_path / "home").rglob("*") if file.is_file() and b"canary" in file.read_bytes()]
    assert held == []
    asyncio.run(studio.machines.put_password("mix-room", "another"))
    assert ring.kept == {("bandleader", "machine:mix-room"): "another"}
    asyncio.run(studio.machines.forget("mix-room"))
    assert ring.kept == {}


def test_a_machine_whose_password_cannot_be_kept_is_not_kept(tmp_path: Path) -> None:
    opened = open_studio(paths_in(tmp_path / "home"), keys=Keys(backend=Locked()))
    with pytest.raises(KeyringError) as caught:
        asyncio.run(opened.machines.add(MIX, PASSWORD))
    assert "key file" in caught.value.advice
    assert asyncio.run(opened.machines.all()).machines == ()
    asyncio.run(opened.close())


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "mix room"}, {"name": "-x"}, {"name": ""}, {"name": "x" * 64}, {"address": "me:pw@host"},
        {"address": "host name"}, {"address": "-oProxyCommand=x"}, {"user": "me:pw"}, {"user": "a b"}, {"user": ""},
        {"port": 0}, {"port": 65536}, {"tags": ("a,b",)}, {"tags": ("x" * 41,)}, {"way": "winrm"},
        {"details": MachineDetails("/nowhere/key")}, {"details": MachineDetails(folders=("samples",))},
        {"details": MachineDetails(folders=("/a\nb",))},
        {"system": "windows", "details": MachineDetails(folders=("/a",))},
        {"details": MachineDetails(folders=tuple(f"/{n}" for n in range(21)))},
    ],
    ids=repr,
)
def test_what_cannot_be_a_machine_is_refused(changes: dict[str, Any], studio: Studio) -> None:
    with pytest.raises(StudioError) as caught:
        asyncio.run(studio.machines.add(replace(MIX, **changes)))
    assert "pw" not in f"{caught.value} {caught.value.advice}"
    assert asyncio.run(studio.machines.all()).machines == ()


def test_two_machines_have_two_names(studio: Studio) -> None:
    asyncio.run(studio.machines.add(MIX))
    with pytest.raises(StudioError, match="already"):
        asyncio.run(studio.machines.add(replace(MIX, name="Mix-Room"), PASSWORD))


def test_tags_and_folders_are_given_and_taken(studio: Studio) -> None:
    asyncio.run(studio.machines.add(MIX))
    tagged = asyncio.run(studio.machines.tag("mix-room", add=("loud", "MIX"), remove=("WIN10",)))
    assert tagged.tags == ("mix", "loud")
    kept = asyncio.run(studio.machines.set_folders("mix-room", add=("/a", "/b", "/a")))
    assert kept.details.folders == ("/a", "/b")
    assert asyncio.run(studio.machines.set_folders("mix-room", remove=("/a",))).details.folders == ("/b",)
    assert asyncio.run(studio.machines.find("mix-room")).tags == ("mix", "loud")


def test_a_pinned_key_stays(studio: Studio) -> None:
    asyncio.run(studio.machines.add(MIX))
    asyncio.run(studio.machines.pin("mix-room", HostKey("ssh-ed25519 AAAA", "SHA256:x")))
    assert asyncio.run(studio.machines.find("mix-room")).host_key == "ssh-ed25519 AAAA"


def test_without_the_libraries_one_error_says_what_to_install(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "asyncssh", None)
    asyncio.run(studio.machines.add(MIX, PASSWORD))
    with pytest.raises(BandleaderError) as caught:
        asyncio.run(studio.machines.host_key("mix-room"))
    assert caught.value.fix == FixKind.INSTALL_EXTRA("machines")
    with pytest.raises(BandleaderError) as caught:
        asyncio.run(studio.machines.test("mix-room"))
    assert caught.value.fix == FixKind.INSTALL_EXTRA("machines")


def test_an_unknown_machine_is_named_with_those_that_there_are(studio: Studio) -> None:
    asyncio.run(studio.machines.add(MIX))
    with pytest.raises(StudioError, match=r"'nowhere'.*mix-room"):
        asyncio.run(studio.machines.find("nowhere"))


def test_a_damaged_machine_hides_no_other_and_can_be_forgotten(
    studio: Studio, tmp_path: Path, ring: Memory
) -> None:
    asyncio.run(studio.machines.add(MIX))
    asyncio.run(studio.machines.add(replace(MIX, name="booth"), "canary 77"))
    spoil = "UPDATE machine SET tags = 'none' WHERE name = 'booth'"
    asyncio.run(studio.store.write(lambda transaction: transaction.exec_driver_sql(spoil)))
    again = open_studio(paths_in(tmp_path / "home"), keys=Keys(backend=ring))
    found = asyncio.run(again.machines.all())
    assert [one.name for one in found.machines] == [MIX.name]
    assert "machine booth is damaged" in found.damaged["booth"]
    with pytest.raises(Damaged, match="booth is damaged") as caught:
        asyncio.run(again.machines.find("booth"))
    assert caught.value.fix == FixKind.ADD_MACHINE_AGAIN("booth")
    with pytest.raises(StudioError, match="called Booth already"):
        asyncio.run(again.machines.add(replace(MIX, name="Booth")))
    asyncio.run(again.machines.forget("booth"))
    assert asyncio.run(again.machines.all()).damaged == {}
    assert "canary 77" not in repr(ring.kept)
    asyncio.run(again.close())


def test_a_question_that_fails_stops_nothing_else(studio: Studio) -> None:
    asyncio.run(studio.machines.add(MIX))
    assert {studio.registry.tools[name].default_on_error for name in TOOLS} == {"continue"}
    assert {studio.registry.tools[name].safe_to_repeat for name in TOOLS} == {True}


def test_sizes_say_that_they_are_bytes(studio: Studio) -> None:
    asyncio.run(studio.machines.add(MIX))
    figures = studio.registry.tools["disk_space"].result["properties"]
    assert {figures[name]["unit"] for name in ("size", "free", "used")} == {"bytes"}
    assert figures["volumes"]["items"]["properties"]["size"]["unit"] == "bytes"
    assert figures["share"]["unit"] == "share"

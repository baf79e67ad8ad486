"""Machines over real SSH on the loopback: what they answer, and every way in which they do not."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from msgspec.structs import replace
from patience import PATIENCE
from ssh_machines import (
    C_FREE,
    C_SIZE,
    PASSWORD,
    Silent,
    SshMachine,
    SshMachines,
    free_port,
    needs_passwords,
    needs_sshd,
)

from agent.fixes import FixKind
from app.services.machines import ssh
from app.services.machines.asking import MachineClient
from app.services.machines.commands import Question, RemoteCommand
from app.services.machines.errors import MachineError, MachineRefuses, NotAnswering
from app.services.machines.figures import AudioProcesses, DiskSpace, Folder, FreeMemory, LibrarySizes
from app.storage.errors import KeyringError
from app.storage.machines import Machine, MachineDetails, System

pytestmark = needs_sshd
HERE: System = "macos" if sys.platform == "darwin" else "linux"


def ask(machine: Machine, question: Question = "disk_space", password: str | None = None, volume: str = "") -> Any:
    return asyncio.run(MachineClient(lambda _: password).ask(machine, question, volume))


def test_the_disk_of_a_machine(rack: SshMachines, plain: SshMachine) -> None:
    found = ask(rack.of(plain, system=HERE))
    assert isinstance(found, DiskSpace)
    root = os.statvfs("/")
    assert (found.machine, found.volume) == ("studio", "/")
    assert found.size == root.f_blocks * root.f_frsize
    assert found.used == found.size - found.free
    assert found.share == pytest.approx(found.used / found.size, abs=1e-3)
    assert "/" in {one.name for one in found.volumes}
    assert not {"/proc", "/sys", "/dev"} & {one.name for one in found.volumes}


def test_the_memory_of_a_machine(rack: SshMachines, plain: SshMachine) -> None:
    found = ask(rack.of(plain, system=HERE), "free_memory")
    assert isinstance(found, FreeMemory)
    assert found.size == pytest.approx(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), rel=0.1)
    assert 0 < found.free <= found.size


def test_programs_for_music_that_run_on_a_machine(rack: SshMachines, plain: SshMachine, tmp_path: Path) -> None:
    sleep = shutil.which("sleep")
    assert sleep
    program = shutil.copy(sleep, tmp_path / "reaper")
    with subprocess.Popen([program, "60"]) as running:
        found = ask(rack.of(plain, system=HERE), "audio_processes")
        running.terminate()
    assert isinstance(found, AudioProcesses)
    assert running.pid in {one.pid for one in found.items if one.name == "reaper"}
    assert not {one.name for one in found.items} & {"sh", "ps", "sshd"}


def test_the_folders_that_are_set_for_a_machine_whatever_they_are_called(rack: SshMachines, plain: SshMachine) -> None:
    hard = rack.place / "it's $(touch owned) `x`; \\ \"q\" * ü"
    (hard / "below").mkdir(parents=True)
    (hard / "a\nb.wav").write_bytes(b"x" * 9000)
    (hard / "below" / "c.wav").write_bytes(b"x" * 5000)
    missing = str(rack.place / "missing")
    found = ask(rack.of(plain, system=HERE, folders=(str(hard), missing)), "library_sizes")
    assert isinstance(found, LibrarySizes)
    assert found.items[0].files == 2
    assert found.items[0].size >= 14000
    assert found.items[1] == Folder(missing, 0, 0, found=False)
    assert not list(rack.place.glob("**/owned"))


def test_a_machine_without_folders_says_how_to_set_them(rack: SshMachines, plain: SshMachine) -> None:
    with pytest.raises(MachineError) as caught:
        ask(rack.of(plain), "library_sizes")
    assert caught.value.fix == FixKind.ADD_MACHINE_FOLDER("studio")


def test_a_windows_machine_over_ssh(rack: SshMachines, windows: SshMachine) -> None:
    machine = rack.of(windows, system="windows", folders=("D:\\It’s 'mine'",))
    disk = ask(machine)
    assert (disk.volume, disk.size, disk.free, disk.share) == ("C:", C_SIZE, C_FREE, 0.75)
    assert [one.name for one in disk.volumes] == ["C:", "D:"]
    assert ask(machine, volume="d:\\").size == 1000
    assert ask(machine, "free_memory").free == 4000000 * 1024
    assert [one.name for one in ask(machine, "audio_processes").items] == ["REAPER"]
    assert ask(machine, "library_sizes").items == (Folder("D:\\It’s 'mine'", 12345, 3),)
    with pytest.raises(MachineError, match="has no volume 'E:'"):
        ask(machine, volume="E:")


def test_a_machine_of_another_system_than_it_was_said_to_have(rack: SshMachines, plain: SshMachine) -> None:
    with pytest.raises(MachineError) as caught:
        ask(rack.of(plain, system="windows"))
    assert "is windows" in caught.value.advice


@needs_passwords
def test_a_password(rack: SshMachines, plain: SshMachine) -> None:
    assert ask(rack.of(plain, password=True), password=PASSWORD).volume == "/"
    with pytest.raises(MachineRefuses, match="does not let") as caught:
        ask(rack.of(plain, password=True), password="another")
    assert not caught.value.transient
    assert "another" not in f"{caught.value} {caught.value.advice}"


def test_no_password_and_no_keyring_name_the_machine(rack: SshMachines, plain: SshMachine) -> None:
    def locked(_: str) -> str | None:
        raise KeyringError("the keyring is locked", fix="unlock it")

    with pytest.raises(MachineRefuses, match="there is no password of machine studio"):
        ask(rack.of(plain, password=True))
    with pytest.raises(MachineRefuses, match=r"machine studio.*keyring is locked") as caught:
        asyncio.run(MachineClient(locked).ask(rack.of(plain, password=True), "disk_space"))
    assert caught.value.advice == "unlock it"
    assert asyncio.run(
        MachineClient(locked).ask(rack.of(plain), "disk_space")
    ), "a key without a passphrase needs no keyring"


def test_a_key_with_a_passphrase(rack: SshMachines, plain: SshMachine) -> None:
    machine = rack.of(plain, key=rack.locked_key)
    assert ask(machine, password=PASSWORD).volume == "/"
    for wrong in (None, "another"):
        with pytest.raises(MachineRefuses, match="key file of machine studio"):
            ask(machine, password=wrong)


def test_a_key_that_the_machine_does_not_know(rack: SshMachines, plain: SshMachine, tmp_path: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "other")], check=True)
    with pytest.raises(MachineRefuses, match="does not let"):
        ask(rack.of(plain, key=tmp_path / "other"))
    with pytest.raises(MachineRefuses, match="cannot read the key file"):
        ask(rack.of(plain, key=tmp_path / "none"))


@pytest.mark.parametrize("kind", ["ed25519", "rsa"])
def test_a_machine_with_another_host_key_is_not_let_near_a_secret(
    kind: str, rack: SshMachines, plain: SshMachine, tmp_path: Path
) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", str(tmp_path / "other")], check=True)
    other = " ".join((tmp_path / "other.pub").read_text().split()[:2])
    with pytest.raises(MachineRefuses, match="another host key") as caught:
        ask(replace(rack.of(plain), host_key=other))
    assert not caught.value.transient


def test_a_machine_that_is_not_pinned_is_not_asked(rack: SshMachines, plain: SshMachine) -> None:
    with pytest.raises(MachineRefuses) as caught:
        ask(replace(rack.of(plain), host_key=None))
    with pytest.raises(MachineRefuses, match="cannot be read"):
        ask(replace(rack.of(plain), host_key="ssh-ed25519 damaged"))
    assert asyncio.run(ssh.fingerprint("ssh-ed25519 damaged")) == "unreadable"
    assert caught.value.fix == FixKind.PIN_MACHINE("studio")


def test_the_key_that_is_shown_is_the_one_of_the_machine(rack: SshMachines, plain: SshMachine) -> None:
    key = asyncio.run(ssh.host_key(rack.of(plain)))
    assert key == plain.host_key
    listed = subprocess.run(
        ["ssh-keygen", "-lf", str(rack.place / f"host-{plain.port}.pub")], capture_output=True, text=True, check=True
    ).stdout
    assert asyncio.run(ssh.fingerprint(key)) in listed


def test_a_refused_connection_may_be_tried_again(rack: SshMachines, plain: SshMachine) -> None:
    with pytest.raises(NotAnswering, match="refused") as caught:
        ask(replace(rack.of(plain), port=free_port()))
    assert caught.value.transient


def test_a_machine_that_says_nothing(rack: SshMachines, plain: SshMachine) -> None:
    silent = Silent(0)
    try:
        with pytest.raises(NotAnswering, match="in time") as caught:
            asyncio.run(ssh.run(replace(rack.of(plain), port=silent.port), RemoteCommand("true"), None, 1.0))
    finally:
        silent.close()
    assert caught.value.transient
    assert silent.taken == 1


@pytest.mark.parametrize(
    ("victim", "said"),
    [("$$", "status is 137"), ("$PPID", "ended from outside"), ("$(ps -o ppid= -p $PPID)", "connection was lost")],
)
def test_a_command_that_is_killed_is_a_failure(victim: str, said: str, rack: SshMachines) -> None:
    killed = rack.start(f"echo Filesystem; kill -9 {victim}; sleep 1")
    with pytest.raises(MachineError, match=said):
        ask(rack.of(killed))


def test_a_command_that_fails_tells_its_status(rack: SshMachines) -> None:
    failing = rack.start("exit 3")
    with pytest.raises(MachineError, match="status is 3"):
        ask(rack.of(failing))


def test_a_command_that_ends_before_it_takes_anything_tells_its_status(rack: SshMachines) -> None:
    """As the shell of an account does that nobody may use."""

    class Ended(asyncssh.SSHServerSession[str]):
        def connection_made(self, chan: asyncssh.SSHServerChannel[str]) -> None:
            self.channel = chan

        def exec_requested(self, command: str) -> bool:
            return True

        def session_started(self) -> None:
            self.channel.write("This account is not available.")
            self.channel.exit(1)

    class Anybody(asyncssh.SSHServer):
        def begin_auth(self, username: str) -> bool:
            return False

        def session_requested(self) -> asyncssh.SSHServerSession[str]:
            return Ended()

    async def asked() -> None:
        key = asyncssh.generate_private_key("ssh-ed25519")
        async with asyncssh.listen("127.0.0.1", 0, server_factory=Anybody, server_host_keys=[key]) as server:
            here = Machine(
                "studio", "127.0.0.1", server.get_port(), "anybody", "ssh", "linux", (),
                key.export_public_key("openssh").decode().strip(), MachineDetails(str(rack.key)), "now",
            )
            await MachineClient(lambda _: None).ask(here, "disk_space")

    with pytest.raises(MachineError, match="status is 1"):
        asyncio.run(asked())


def test_an_endless_answer_ends(rack: SshMachines) -> None:
    endless = rack.start("yes")
    with pytest.raises(MachineError, match="says too much"):
        ask(rack.of(endless))


def test_a_machine_that_talks_nonsense(rack: SshMachines) -> None:
    liar = rack.start("echo Filesystem; printf '\\033]0;owned\\007 1 2 3\\n'")
    with pytest.raises(MachineError, match="no answer that can be read") as caught:
        ask(rack.of(liar))
    assert str(caught.value).isprintable()


def test_a_call_that_is_cancelled_ends_within_a_second(rack: SshMachines) -> None:
    begun = rack.place / "begun"
    begun.touch()
    begun.chmod(0o666)
    slow = rack.start(f"echo begun >> {begun}; sleep 5")

    async def cancelled() -> bool:
        asking = asyncio.create_task(MachineClient(lambda _: None).ask(rack.of(slow), "disk_space"))
        while not begun.read_text():
            await asyncio.sleep(0.02)
        asking.cancel()
        await asyncio.wait({asking}, timeout=PATIENCE)
        return asking.cancelled()

    assert asyncio.run(cancelled())

"""Real `sshd`s on the loopback, each with its own settings, host key and port, and whoever may log in there.

As root, a system user is made for the time of the tests, who has a password; anybody else can log in as themselves
with a key alone. A "Windows" machine is a real `sshd` in front of a pretended PowerShell, which knows four answers.
"""

from __future__ import annotations

import getpass
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from system_packages import has_programs, needs

from app.services.machines.ssh import CONNECT_SECONDS
from app.storage.machines import Machine, MachineDetails, System

SSHD = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")
PASSWORD = "kurze Wörter & 9c1d7e5b"
"""Of the user that root makes: with spaces and letters that are not ASCII."""
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("useradd") is not None

needs_sshd = needs("openssh-server", available=has_programs("sshd", "ssh-keygen"))
needs_passwords = pytest.mark.skipif(not AS_ROOT, reason="only root can make a user with a password")

C_SIZE, C_FREE = 512 * 10**9, 128 * 10**9
_ANSWERS = {
    "Get-Volume": {"volumes": [{"name": "D", "size": 1000, "free": 400}, {"name": "C", "size": C_SIZE, "free": C_FREE}],
                   "system": "C:"},
    "Win32_OperatingSystem": {"size": 16000000, "free": 4000000},
    "Get-Process": {"items": [{"name": "REAPER", "pid": 7, "memory": 9}, {"name": "svchost", "pid": 8, "memory": 1}]},
    "Get-ChildItem": {"items": [{"found": True, "size": 12345, "files": 3}]},
}
_POWERSHELL = """\
case $SSH_ORIGINAL_COMMAND in
"powershell.exe -NoLogo -NoProfile -NonInteractive -EncodedCommand "*) ;;
*) exit 127 ;;
esac
asked=$(printf %s "${SSH_ORIGINAL_COMMAND##* }" | base64 -d | tr -d '\\000')
case $asked in
ANSWERS
*) exit 1 ;;
esac
""".replace("ANSWERS", "\n".join(f"*{asked}*) echo '{json.dumps(said)}' ;;" for asked, said in _ANSWERS.items()))


@dataclass
class SshMachine:
    """One `sshd`; `forced` is run in the place of whatever is asked for."""

    place: Path
    port: int
    user: str
    forced: str = ""
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Listen, with the host key that there is, else a new one."""
        key = self.place / f"host-{self.port}"
        if not key.exists():
            _keygen(key)
        config = self.place / f"config-{self.port}"
        forced = ""
        if self.forced:
            script = self.place / f"forced-{self.port}"
            script.write_text(self.forced)
            forced = f"ForceCommand /bin/sh {script}\n"
        config.write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {key}\nPidFile none\nUsePAM no\nUseDNS no\n"
            f"PasswordAuthentication yes\nKbdInteractiveAuthentication no\nStrictModes no\nLogLevel ERROR\n"
            f"AuthorizedKeysFile {self.place}/authorized\nPermitRootLogin prohibit-password\n{forced}"
        )
        assert SSHD is not None
        self._process = subprocess.Popen([SSHD, "-D", "-f", str(config)], stderr=subprocess.DEVNULL)
        _until_open(self.port)

    def stop(self) -> None:
        """Listen no longer, and end what is under way."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def change_host_key(self) -> None:
        """Be another machine at the same address."""
        self.stop()
        (self.place / f"host-{self.port}").unlink()
        self.start()

    @property
    def host_key(self) -> str:
        """The public key, as it is pinned."""
        kind, data, *_ = (self.place / f"host-{self.port}.pub").read_text().split()
        return f"{kind} {data}"


@dataclass
class SshMachines:
    """Starts machines; all have the same user, key and password."""

    place: Path
    user: str
    key: Path
    locked_key: Path
    """The same with a passphrase, which is `PASSWORD`."""
    started: list[SshMachine] = field(default_factory=list)

    def start(self, forced: str = "") -> SshMachine:
        """A new machine."""
        made = SshMachine(self.place, free_port(), self.user, forced)
        self.started.append(made)
        made.start()
        return made

    def start_windows(self) -> SshMachine:
        """A machine with a pretended PowerShell."""
        return self.start(_POWERSHELL)

    def of(
        self, machine: SshMachine, name: str = "studio", *, key: Path | None = None, password: bool = False,
        system: System = "linux", folders: tuple[str, ...] = (), tags: tuple[str, ...] = (),
    ) -> Machine:
        """What the inventory would hold of a machine that was pinned."""
        details = MachineDetails("" if password else str(key or self.key), folders=folders)
        return Machine(
            name, "127.0.0.1", machine.port, self.user, "ssh", system, tags, machine.host_key, details, "now"
        )


@contextmanager
def ssh_machines() -> Iterator[SshMachines]:
    """Machines, which all end with the block, and the user with them."""
    # Not below pytest's folder, which others than the one who runs the tests may not enter.
    place = Path(tempfile.mkdtemp(prefix="bandleader-ssh-"))
    place.chmod(0o755)
    key, locked = place / "user", place / "user-locked"
    _keygen(key)
    shutil.copy(key, locked)
    locked.chmod(0o600)
    locking = ["ssh-keygen", "-q", "-p", "-P", "", "-N", PASSWORD, "-f", str(locked)]
    subprocess.run(locking, check=True, capture_output=True)
    (place / "authorized").write_text((place / "user.pub").read_text())
    (place / "authorized").chmod(0o644)
    with _user(place) as user:
        made = SshMachines(place, user, key, locked)
        try:
            yield made
        finally:
            for one in made.started:
                one.stop()
            shutil.rmtree(place)


@contextmanager
def _user(place: Path) -> Iterator[str]:
    if not AS_ROOT:
        yield getpass.getuser()
        return
    Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    name = f"bl-test-{place.name[-8:]}"
    subprocess.run(["useradd", "-M", "-d", str(place), "-s", "/bin/sh", name], check=True, capture_output=True)
    try:
        hashed = subprocess.run(
            ["openssl", "passwd", "-6", "-stdin"], input=PASSWORD, capture_output=True, text=True, check=True
        ).stdout.strip()
        subprocess.run(["usermod", "-p", hashed, name], check=True, capture_output=True)
        yield name
    finally:
        for _ in range(20):
            # A session that was cut needs a moment to end.
            if subprocess.run(["userdel", "-f", name], capture_output=True, check=False).returncode == 0:
                break
            time.sleep(0.1)


class Silent:
    """Takes connections and says nothing. `taken` counts them."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_server(("127.0.0.1", port))
        self.port: int = self._socket.getsockname()[1]
        self.taken = 0
        self._held: list[socket.socket] = []
        self._thread = threading.Thread(target=self._take, daemon=True)
        self._thread.start()

    def _take(self) -> None:
        with suppress(OSError):
            while True:
                self._held.append(self._socket.accept()[0])
                self.taken += 1

    def close(self) -> None:
        """Let go of all."""
        # Wakes the thread, which would keep the socket listening.
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)
        for one in self._held:
            one.close()


def free_port() -> int:
    """A port that nobody listens on."""
    with closing(socket.create_server(("127.0.0.1", 0))) as found:
        return int(found.getsockname()[1])


def _keygen(path: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", str(path)], check=True)


def _until_open(port: int) -> None:
    for _ in range(int(CONNECT_SECONDS * 50)):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise AssertionError(f"nothing listens on port {port}")

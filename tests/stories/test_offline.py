"""An offline compose reaches for no network, and writes nothing outside its home and the folder it was given.

The process and its worker processes are watched from their first line on by a hook of the interpreter
(tests/support/watching), and where `strace` is installed also by the kernel, below all libraries.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import ROOT, CommandLine
from system_packages import has_programs, needs

WATCHER = Path(__file__).parents[1] / "support" / "watching"
REQUEST = "a calm lofi beat in A minor, 8 bars"


class Watched:
    """A command line whose processes are watched."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "watched"
        self.line = CommandLine(folder / "home", {"PYTHONPATH": str(WATCHER), "WATCHED": str(self.log)})

    def seen(self, kind: str) -> list[str]:
        """What was seen of a kind."""
        lines = [line.split("\t", 1) for line in self.log.read_text().splitlines()]
        return [what for how, what in lines if how == kind]


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


def test_composing_offline_connects_nowhere_and_writes_only_where_it_may(watched: Watched, tmp_path: Path) -> None:
    out, own = tmp_path / "out", watched.line.home
    said = watched.line.run("compose", REQUEST, "--yes", "--seed", "1", "--json", "--out", str(out))
    assert said.status == 0, said.stderr
    assert len(watched.seen("process")) >= 2
    assert watched.seen("internet") == []
    # Processes of one program share a flag in memory, which has a name but no place on a disk.
    allowed = (str(own), str(out), os.devnull, "/dev/shm/pym-")
    strange = [path for path in watched.seen("write") if not path.startswith(allowed)]
    assert [path for path in strange if "__pycache__" not in path] == []
    assert all(str(own) in place for place in watched.seen("sqlite3.connect"))
    assert out.is_dir()
    assert {path.suffix for path in out.iterdir()} == {".mid", ".wav", ".json"}


@pytest.mark.parametrize("where", ["the program", "a worker"])
def test_the_watcher_sees_a_connection(watched: Watched, tmp_path: Path, where: str) -> None:
    plant = "import socket; s = socket.socket(); s.settimeout(0.1); s.connect_ex(('127.0.0.1', 9))"
    code = plant if where == "the program" else f"""
import multiprocessing
if __name__ == "__main__":
    child = multiprocessing.get_context("spawn").Process(target=exec, args=({plant!r},))
    child.start()
    child.join()
"""
    script = tmp_path / "planted.py"
    script.write_text(code)
    environment = {**os.environ, **watched.line.environment}
    subprocess.run([sys.executable, str(script)], env=environment, check=True)
    assert [what for what in watched.seen("internet") if "127.0.0.1" in what]


def test_the_watcher_sees_a_stray_file(watched: Watched, tmp_path: Path) -> None:
    stray = tmp_path / "stray.txt"
    environment = {**os.environ, **watched.line.environment}
    subprocess.run([sys.executable, "-c", f"open({str(stray)!r}, 'w')"], env=environment, check=True)
    assert str(stray) in watched.seen("write")


TRACE = ["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg,bind", "-e", "signal=none", "-o"]
_INTERNET = re.compile(r"AF_INET6?\b")


@needs("strace", available=has_programs("strace"))
@pytest.mark.parametrize("plant", [False, True])
def test_the_kernel_sees_no_connection_either(tmp_path: Path, plant: bool) -> None:
    log = tmp_path / "trace"
    program = ["-m", "app", "compose", REQUEST, "--yes", "--seed", "1", "--json", "--out", str(tmp_path / "out")]
    if plant:
        program = ["-c", "import socket; s = socket.socket(); s.settimeout(0.1); s.connect_ex(('127.0.0.1', 9))"]
    said = subprocess.run(
        [*TRACE, str(log), sys.executable, *program], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "BANDLEADER_HOME": str(tmp_path / "home")},
    )
    if "ptrace" in said.stderr:
        pytest.skip("this machine forbids tracing")
    assert said.returncode == 0, said.stderr
    found = [line for line in log.read_text().splitlines() if _INTERNET.search(line)]
    assert bool(found) == plant, found

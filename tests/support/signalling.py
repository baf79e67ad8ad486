"""Signals to real commands at any moment of their lives, and what is wrong with how they ended."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path

import mido
import soundfile
from commandline import CommandLine, Said, Started, ended
from windows import ROOT, surroundings

CANCELLED = 130
HANG = 60.0
"""Seconds after which a command that was told to end hangs, however busy the machine is."""
_APART = 0.4
"""Seconds between two signals of an impatient person."""
_LEAVING = 10.0
"""Seconds in which the children of a command that has ended must be gone."""
_BIRTH = ("Failed to import the site module", "<frozen site>", "<frozen importlib", "<frozen runpy>")
_ONE, _GROUP = False, True
MANNERS = (
    ((signal.SIGINT,), _ONE), ((signal.SIGTERM,), _ONE), ((signal.SIGINT,), _GROUP), ((signal.SIGHUP,), _GROUP),
    ((signal.SIGINT,) * 2, _GROUP), ((signal.SIGTERM, signal.SIGHUP), _ONE), ((signal.SIGINT,) * 3, _GROUP),
    ((signal.SIGTERM,), _GROUP),
)
"""Which signals come, and whether they go to the process alone or, as a terminal's do, to its whole group."""


@dataclass(frozen=True)
class Shot:
    """Signals to one command at a share of its life."""

    command: str
    share: float
    signals: tuple[signal.Signals, ...]
    group: bool = False
    cold: bool = True
    """Whether the interpreter starts, too; else the time is that of the program alone, from its first line on."""


@dataclass(frozen=True)
class Hit:
    """What came of it; `alive` says whether it had not ended by itself, `taken` whether it takes signals yet."""

    shot: Shot
    alive: bool
    taken: bool
    status: int
    seconds: float
    said: str
    faults: tuple[str, ...]


@dataclass(frozen=True)
class Command:
    """How it is called; `ends` are the statuses it may come to by itself. A window stays until it is told to end."""

    words: tuple[str, ...]
    ends: tuple[int, ...] = (0,)
    stays: bool = False


@dataclass
class Range:
    """A home with a song, of which each command gets a copy, and how many seconds each lives undisturbed."""

    made: CommandLine
    folder: Path
    model: str
    """The address of a server that each request to a model goes to."""
    lives: dict[str, float] = field(default_factory=dict)
    commands: dict[str, Command] = field(default_factory=dict)
    _number: int = 0

    def __post_init__(self) -> None:
        midi = self.folder / "song.mid"
        self.made.ask("export", "mid", "--out", str(midi))
        self.commands = {
            "help": Command(("--help",)),
            "doctor": Command(("doctor", "--json")),
            "plan": Command(("plan", "make it slower", "--json")),
            "compose": Command(("compose", "a calm song of 8 bars", "--yes", "--json")),
            "export": Command(("export", "wav", "--out", "HOME/out/song.wav", "--json")),
            "history": Command(("history", "--json")),
            "check": Command(("check", "--json"), ends=(0, 5)),
            "import": Command(("import", str(midi), "--json")),
            "model": Command(("plan", "a slow pad", "--provider", self.model, "--model", "m", "--json"), stays=True),
            "window": Command((), stays=True),
        }

    def hit(self, shot: Shot) -> Hit:
        """Begin the command, signal it, and look at what it left."""
        command = self.commands[shot.command]
        life = self.life(shot.command)
        with self._home() as home:
            process = begun(command, home, cold=shot.cold)
            try:
                return _hit(shot, command, process, home, shot.share * life)
            finally:
                if shot.cold:
                    with suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGKILL)
                process.kill()

    def life(self, name: str) -> float:
        """Seconds that the command lives; one that stays is given the time of another that opens as much."""
        command = self.commands[name]
        if name not in self.lives and command.stays:
            self.lives[name] = 1.5 * self.life("plan")
        elif name not in self.lives:
            with self._home() as home:
                began = time.monotonic()
                said = ended(begun(command, home, cold=True))
                assert said.status in command.ends, said.stderr
                self.lives[name] = time.monotonic() - began
        return self.lives[name]

    @contextmanager
    def _home(self) -> Iterator[Path]:
        self._number += 1
        home = self.folder / f"home{self._number}"
        shutil.copytree(self.made.home, home)
        try:
            yield home
        finally:
            shutil.rmtree(home)


def begun(command: Command, home: Path, *, cold: bool) -> Started:
    """The command on its way; `cold` in an interpreter and a process group of its own, as from a terminal."""
    words = [word.replace("HOME", str(home)) for word in command.words]
    if not cold:
        return CommandLine(home).start(*words)
    return subprocess.Popen(
        [sys.executable, "-m", "app", *words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, encoding="utf-8", env=surroundings(home), start_new_session=True,
        preexec_fn=as_from_a_terminal,
    )


def _hit(shot: Shot, command: Command, process: Started, home: Path, seconds: float) -> Hit:
    if not shot.cold and not _begins(process):
        return Hit(shot, True, False, 0, HANG, "", ("it takes no signals",))
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    alive, taken = process.poll() is None, _takes_signals(process.pid)
    told = time.monotonic()
    for number in shot.signals:
        if process.poll() is None:
            with suppress(ProcessLookupError):
                (os.killpg if shot.group else os.kill)(process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_APART)
    try:
        said = ended(process, HANG)
    except subprocess.TimeoutExpired:
        return Hit(shot, alive, taken, 0, HANG, "", ("it hangs",))
    passed = time.monotonic() - told
    born = alive and not taken and (said.status in {-one for one in shot.signals} or _amid_birth(said.stderr))
    faults = [] if born else [
        *_of_status(said.status, command, alive), *_of_words(said, command.words), *_of_home(home)
    ]
    faults += _of_children(process.pid) if shot.cold else []
    return Hit(shot, alive, taken, said.status, passed, said.stderr, tuple(faults))


def shots(commands: Iterable[str], count: int) -> list[Shot]:
    """So many, spread evenly over the commands, and for each evenly over its life and a little beyond."""
    names = list(commands)
    each = {name: count // len(names) + (place < count % len(names)) for place, name in enumerate(names)}
    manners = cycle(MANNERS)
    made = []
    for name in names:
        for number, (signals, group) in enumerate(islice(manners, each[name])):
            made.append(Shot(name, 1.02 * (number + 0.5) / each[name], signals, group))
    return made


def as_from_a_terminal() -> None:
    """What a shell ignores for a program in its background, this one hears."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _takes_signals(pid: int) -> bool:
    """Whether the program has taken SIGTERM, which the interpreter by itself does not."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
    return False


def _begins(process: Started) -> bool:
    """Wait until the program takes signals; false if it never does."""
    until = time.monotonic() + HANG
    while not (taken := _takes_signals(process.pid)) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.001)
    return taken


def _amid_birth(said: str) -> bool:
    """Whether the interpreter was interrupted before it came to the program."""
    return any(place in said for place in _BIRTH) and "KeyboardInterrupt" in said and str(ROOT / "app") not in said


def _of_status(status: int, command: Command, alive: bool) -> Iterator[str]:
    wanted = command.ends if not alive else (CANCELLED, *command.ends) if command.words else command.ends
    if status not in wanted:
        yield f"it ends with {status}"


def _of_words(said: Said, words: tuple[str, ...]) -> Iterator[str]:
    for sign in ("Traceback", "Fatal Python error", "Exception ignored", "Segmentation fault", "KeyboardInterrupt"):
        if sign in said.stderr:
            yield f"it says {sign}"
            return
    if "--json" in words and said.stdout:
        try:
            json.loads(said.stdout)
        except ValueError:
            yield "its document is half"


def _of_home(home: Path) -> Iterator[str]:
    with closing(sqlite3.connect(home / "bandleader.db")) as connection:
        if connection.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
            yield "the database is damaged"
        for (state,) in connection.execute("SELECT state FROM run"):
            if state not in ("COMPLETED", "CANCELLED", "RUNNING", "APPROVED", "WAITING_USER", "NEEDS_REVIEW"):
                yield f"a run is {state}"
    for path in (*home.glob("out/*"), *home.glob("exports/**/*")):
        try:
            if path.suffix == ".wav":
                assert soundfile.info(path).frames
            elif path.suffix == ".mid":
                mido.MidiFile(path)
            elif path.is_file() and path.suffix != ".json":
                yield f"{path.name} is left"
        except Exception as fault:
            yield f"{path.name} is half: {fault}"


def _of_children(group: int) -> Iterator[str]:
    until = time.monotonic() + _LEAVING
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    yield "a child of it lives on"


@contextmanager
def server_that_never_answers() -> Iterator[str]:
    """The address of a model server on loopback that takes requests and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        held: list[socket.socket] = []

        def hold() -> None:
            with suppress(OSError):
                while True:
                    held.append(door.accept()[0])

        thread = threading.Thread(target=hold, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}/v1"
        finally:
            door.shutdown(socket.SHUT_RDWR)
            thread.join()
            for one in held:
                one.close()


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Beside so many programs that each keep a processor busy."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for one in spinning:
            one.kill()
            one.wait()


def counted(hits: Iterable[Hit]) -> dict[str, int]:
    """Figures of a campaign."""
    hits = list(hits)
    told = [hit for hit in hits if hit.alive and hit.taken]
    tests: dict[str, Callable[[Hit], bool]] = {
        "before the program's first line": lambda hit: hit.alive and not hit.taken,
        "after its end": lambda hit: not hit.alive,
        "ended with 130": lambda hit: hit.alive and hit.taken and hit.status == CANCELLED,
        "ended with their own status": lambda hit: hit.alive and hit.taken and hit.status in (0, 5),
        "faults": lambda hit: bool(hit.faults),
    }
    times = sorted(hit.seconds for hit in told) or [0.0]
    return {
        "signals": len(hits), **{name: sum(map(test, hits)) for name, test in tests.items()},
        "ms to the end, half": round(1000 * times[len(times) // 2]), "ms at most": round(1000 * times[-1]),
    }

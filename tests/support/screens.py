"""A screen of its own with a window manager, and Bandleader on it: worked by a real pointer and keyboard, found by the
names that a screen reader would say."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from patience import PATIENCE

PACKAGES = {"Xvfb": "xvfb", "openbox": "openbox", "xdotool": "xdotool", "import": "imagemagick", "dbus-daemon": "dbus"}
"""The programs, and the Debian package of each."""
_LAUNCHERS = (Path("/usr/libexec/at-spi-bus-launcher"), Path("/usr/lib/at-spi2-core/at-spi-bus-launcher"))
_PYTHON = "/usr/bin/python3"
_READER = Path(__file__).with_name("screen_reader.py")


def missing_packages() -> tuple[str, ...]:
    """The Debian packages that this machine lacks for a screen of its own."""
    gone = [package for name, package in PACKAGES.items() if shutil.which(name) is None]
    if not any(launcher.exists() for launcher in _LAUNCHERS):
        gone.append("at-spi2-core")
    told = "from gi import require_version; require_version('Atspi', '2.0'); from gi.repository import Atspi"
    if not gone and subprocess.run([_PYTHON, "-c", told], capture_output=True, check=False).returncode:
        gone += ["python3-gi", "gir1.2-atspi-2.0"]
    return tuple(gone)


@dataclass(frozen=True)
class Thing:
    """What a screen reader finds: `place` is left, top, width, height on the screen, in its pixels."""

    role: str
    name: str
    place: tuple[int, int, int, int]
    states: tuple[str, ...]
    description: str = ""
    path: tuple[int, ...] = ()
    actions: tuple[str, ...] = ()
    """What it can be asked to do."""
    value: float | None = None
    """The number that it shows, if it shows one."""

    @property
    def showing(self) -> bool:
        """Whether it can be seen."""
        return "showing" in self.states and min(self.place[2:]) > 0

    @property
    def in_sight(self) -> bool:
        """Whether it is on the screen: what lies behind another tab is told as showing, left of it."""
        return self.showing and min(self.place[:2]) >= 0

    @property
    def middle(self) -> tuple[int, int]:
        """Its centre."""
        left, top, width, height = self.place
        return left + width // 2, top + height // 2


@dataclass
class Screen:
    """A display with a window manager and a bus of its own."""

    size: tuple[int, int]
    environment: dict[str, str] = field(default_factory=dict)
    shots: Path | None = None
    """Where pictures go."""
    scale: float = 1.0
    """Pixels of the screen to a pixel of the looks."""
    program: subprocess.Popen[str] | None = None

    def start(self, home: Path, theme: str = "dark") -> None:
        """Start Bandleader with all its data under `home`, and wait until its window can be used."""
        self.environment |= {"BANDLEADER_HOME": str(home), "QT_SCALE_FACTOR": str(self.scale)}
        looks = home / "cache" / "window.json"
        looks.parent.mkdir(parents=True, exist_ok=True)
        looks.write_text(json.dumps({"theme": theme}))
        self.program = subprocess.Popen(
            [sys.executable, "-m", "app"], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True,
        )
        self.wait("Bandleader", "frame")
        self.gone("Opening…")

    def end(self) -> str:
        """Ask the program to end, as a shutdown does; returns what it has written."""
        program, self.program = self.program, None
        if program is None:
            return ""
        program.send_signal(signal.SIGTERM)
        told, _ = program.communicate(timeout=PATIENCE)
        assert program.returncode == 0, told
        return told

    def end_told(self) -> str:
        """What a program that has ended by itself has written."""
        program, self.program = self.program, None
        return "" if program is None else program.communicate()[0]

    def things(self) -> list[Thing]:
        """All that a screen reader finds in the program's windows, from the outermost to the innermost."""
        return self._read()

    def _read(self, *words: str) -> list[Thing]:
        done = subprocess.run(
            [_PYTHON, str(_READER), *words], env=self.environment, capture_output=True, text=True, timeout=PATIENCE,
            check=True,
        )
        return [self._thing(*one) for one in json.loads(done.stdout)]

    def _thing(
        self, role: str, name: str, place: list[int], states: list[str], description: str, path: list[int],
        actions: list[str], value: float | None,
    ) -> Thing:
        # What a screen reader is told are pixels of the looks.
        left, top, width, height = (round(one * self.scale) for one in place)
        place_now = (left, top, width, height)
        return Thing(role, name, place_now, tuple(states), description, tuple(path), tuple(actions), value)

    def find(self, name: str, role: str = "") -> list[Thing]:
        """What can be seen and whose name begins so."""
        return [one for one in self._read("find", name) if one.showing and (not role or one.role == role)]

    def wait(self, name: str, role: str = "", seconds: float = PATIENCE) -> Thing:
        """The first of that name, as soon as it can be seen."""
        end = time.monotonic() + seconds
        while True:
            with suppress(subprocess.SubprocessError):
                if found := self.find(name, role):
                    return found[0]
            if self.program is not None and self.program.poll() is not None:
                raise AssertionError(f"the program has ended: {self.end_told()}")
            if time.monotonic() > end:
                raise AssertionError(f"no {role or 'thing'} {name!r} among {sorted({o.name for o in self.things()})}")
            time.sleep(0.2)

    def press(self, thing: Thing) -> None:
        """Ask a thing to do what it does, as a screen reader does, without the pointer."""
        subprocess.run(
            [_PYTHON, str(_READER), "press", json.dumps(thing.path)], env=self.environment, capture_output=True,
            timeout=PATIENCE, check=True,
        )

    def gone(self, name: str, role: str = "", seconds: float = PATIENCE) -> None:
        """Wait until nothing of that name can be seen."""
        end = time.monotonic() + seconds
        while self.find(name, role):
            assert time.monotonic() < end, f"{name!r} is still there"
            time.sleep(0.2)

    def click(self, name: str, role: str = "", *, button: int = 1, times: int = 1) -> Thing:
        """Click into the middle of what has that name."""
        found = self.wait(name, role)
        self.click_at(*found.middle, button=button, times=times)
        return found

    def click_at(self, x: int, y: int, *, button: int = 1, times: int = 1) -> None:
        """Click at a place of the screen."""
        self.do("mousemove", str(x), str(y), "sleep", "0.1")
        self.do("click", "--repeat", str(times), "--delay", "60", str(button))

    def drag(self, start: tuple[int, int], end: tuple[int, int], keys: str = "") -> None:
        """Drag with the left button, in steps as a hand does, while keys are held."""
        middle = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
        hold = ["keydown", keys] if keys else []
        let = ["keyup", keys] if keys else []
        moves = [word for x, y in (middle, end, end) for word in ("mousemove", str(x), str(y), "sleep", "0.08")]
        self.do("mousemove", str(start[0]), str(start[1]), "sleep", "0.1", *hold, "mousedown", "1", "sleep", "0.1",
                *moves, "mouseup", "1", *let)

    def keys(self, *names: str) -> None:
        """Press keys one after the other: `ctrl+Return`, `space`, `Escape`."""
        for name in names:
            self.do("key", "--clearmodifiers", name, "sleep", "0.12")

    def type(self, text: str) -> None:
        """Type a text."""
        self.do("type", "--delay", "8", text)

    def do(self, *words: str) -> None:
        """One command of the pointer and the keyboard."""
        subprocess.run(["xdotool", *words], env=self.environment, check=True, capture_output=True, timeout=PATIENCE)

    def shot(self, name: str) -> None:
        """A picture of the whole screen, where pictures are wanted."""
        if self.shots is not None:
            self.shots.mkdir(parents=True, exist_ok=True)
            target = str(self.shots / f"{name}.png")
            subprocess.run(["import", "-window", "root", target], env=self.environment, check=True, timeout=PATIENCE)


@contextmanager
def a_screen(
    width: int = 1600, height: int = 1000, shots: Path | None = None, scale: float = 1.0
) -> Iterator[Screen]:
    """A screen that ends with all that runs on it."""
    with ExitStack() as ends, tempfile.TemporaryDirectory(prefix="bandleader-screen-") as folder:
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("QT_", "DBUS_", "XDG_", "WAYLAND", "BANDLEADER_")) and name != "DISPLAY"}
        runtime = Path(folder) / "runtime"
        runtime.mkdir(mode=0o700)
        kept |= {"XDG_RUNTIME_DIR": str(runtime), "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_QPA_PLATFORM": "xcb",
                 "LANG": "C.UTF-8", "PYTHONPATH": str(Path(__file__).parents[2])}
        screen = Screen((width, height), kept, shots, scale)
        kept["DISPLAY"] = f":{_display(ends, width, height)}"
        kept["DBUS_SESSION_BUS_ADDRESS"] = _bus(ends, kept)
        for program in (["openbox"], [str(next(one for one in _LAUNCHERS if one.exists())), "--launch-immediately"]):
            _begin(ends, program, kept)
        _switch_on(kept)
        try:
            yield screen
        finally:
            if screen.program is not None:
                screen.program.kill()
                screen.program.communicate()


def _display(ends: ExitStack, width: int, height: int) -> int:
    """The number of a new display; the server itself finds one that is free."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"],
        pass_fds=(writing,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    ends.callback(_stop, server)
    os.close(writing)
    with os.fdopen(reading) as told:
        return int(told.readline())


def _bus(ends: ExitStack, environment: dict[str, str]) -> str:
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--print-address", "--nofork"], env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )
    ends.callback(_stop, bus)
    assert bus.stdout is not None
    return bus.stdout.readline().strip()


def _begin(ends: ExitStack, program: list[str], environment: dict[str, str]) -> None:
    running = subprocess.Popen(program, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ends.callback(_stop, running)


def _switch_on(environment: dict[str, str]) -> None:
    """Programs tell screen readers nothing before one says that it listens."""
    call = ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus",
            "org.freedesktop.DBus.Properties.Set", "string:org.a11y.Status", "string:IsEnabled",
            "variant:boolean:true"]
    end = time.monotonic() + PATIENCE
    while subprocess.run(call, env=environment, capture_output=True, check=False).returncode:
        assert time.monotonic() < end, "the bus of screen readers does not answer"
        time.sleep(0.1)


def _stop(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()

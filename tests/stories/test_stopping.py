"""Ctrl-C, SIGTERM and readers that go away: the command ends in order and leaves a whole state."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from commandline import ROOT, CommandLine, Said, ended
from killing import Killing, kill_at_event
from patience import PATIENCE
from signalling import MANNERS, Range, Shot, server_that_never_answers
from wholeness import look

SIGNALS = [signal.SIGINT, signal.SIGTERM]
CANCELLED = 130
_TRIES = 5


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("stop"))


@pytest.mark.parametrize("by", SIGNALS)
def test_a_signal_ends_a_run_at_its_next_row(killing: Killing, by: signal.Signals) -> None:
    at, said = told_to_end_amid_a_run(killing, by)
    assert said.status == CANCELLED
    assert said.json["state"] == "CANCELLED"
    # On a busy machine the row under way may not end within its grace: then it is interrupted, and counts as failed.
    assert said.json["done"] + said.json["failed"] + said.json["not_run"] == said.json["approved"]
    assert said.json["failed"] <= 1
    assert 0 < said.json["done"] < said.json["approved"]
    left = look(at, killing.ideal)
    assert [fault for fault in left.faults if "not at its end" not in fault] == []
    made = at.rows("SELECT id FROM iteration WHERE run IS NOT NULL")
    assert made == at.rows("SELECT head FROM project") == [(said.json["iteration"],)]
    assert killing.do(at, "restore", "1").status == 0
    again = killing.do(at, "runs", "resume", said.json["run"], "--json")
    assert again.status == 2
    assert "CANCELLED" in again.json["error"]["why"]


def told_to_end_amid_a_run(killing: Killing, by: signal.Signals) -> tuple[CommandLine, Said]:
    """A run that heard it before it was over, which on a busy machine it may be first."""
    for _ in range(_TRIES):
        at = killing.home()
        said = killing.do(at, *killing.run_words(), kill=kill_at_event(at, 40, by))
        if said.status:
            break
    return at, said


@pytest.fixture(scope="module")
def made(killing: Killing) -> CommandLine:
    """A home whose song is made."""
    at = killing.home()
    assert killing.do(at, *killing.run_words()).status == 0
    return at


@pytest.mark.parametrize("by", SIGNALS)
def test_a_signal_ends_an_export_and_the_older_file_stays(
    killing: Killing, made: CommandLine, tmp_path: Path, by: signal.Signals
) -> None:
    target = tmp_path / "song.wav"
    target.write_bytes(b"the older one")
    before = made.content()
    said = killing.do(
        made, "export", "wav", "--out", str(target), "--replace", "--json",
        kill=when(lambda: rendered(made.home), by),
    )
    assert said.status == CANCELLED, said.stderr
    assert said.json["error"]["code"] == CANCELLED
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("song.wav", b"the older one")]
    assert made.content() == before


def rendered(home: Path) -> bool:
    """Whether a worker has begun to render; forgets what earlier ones did."""
    return any(path.is_file() for path in (home / "cache").rglob("*"))


def when(happened: Callable[[], bool], by: signal.Signals) -> Callable[[int], None]:
    def kill(child: int) -> None:
        patience = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < patience
            time.sleep(0.005)
        os.kill(child, by)

    return kill


@pytest.fixture(autouse=True)
def _nothing_rendered(made: CommandLine) -> None:
    for path in (made.home / "cache").rglob("*"):
        if path.is_file():
            path.unlink()


STARTS = [
    Shot("history", share, signals, group)
    for share, (signals, group) in zip((0.1, 0.25, 0.4, 0.55, 0.7, 0.85), MANNERS, strict=False)
]
LATER = [
    Shot(command, share, signals, cold=False)
    for command, share, signals in (
        ("help", 0.2, (signal.SIGTERM,)), ("doctor", 0.3, (signal.SIGINT,)), ("doctor", 0.8, (signal.SIGHUP,)),
        ("plan", 0.4, (signal.SIGTERM,)), ("compose", 0.2, (signal.SIGINT,)), ("compose", 0.4, (signal.SIGHUP,)),
        ("compose", 0.6, (signal.SIGINT, signal.SIGINT)), ("compose", 0.9, (signal.SIGTERM,)),
        ("export", 0.3, (signal.SIGHUP,)), ("export", 0.6, (signal.SIGINT,) * 3), ("import", 0.5, (signal.SIGINT,)),
        ("check", 0.5, (signal.SIGTERM,)), ("model", 0.9, (signal.SIGINT,)), ("window", 0.5, (signal.SIGTERM,)),
    )
]
LIVES = {
    "help": 0.1, "history": 1.0, "doctor": 0.8, "plan": 0.3, "compose": 2.0, "export": 1.5, "import": 0.3, "check": 0.3,
    "model": 0.6, "window": 1.0,
}
"""Seconds that each about lives, without the start of the interpreter but for the first and last. On a busy machine the
signals come earlier in the lives."""


@pytest.fixture(scope="module")
def place(made: CommandLine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Range]:
    with server_that_never_answers() as model:
        yield Range(made, tmp_path_factory.mktemp("signals"), model, dict(LIVES))


@pytest.mark.parametrize("shot", [*STARTS, *LATER], ids=lambda shot: f"{shot.command}-{shot.share}")
def test_a_signal_at_any_moment_is_no_fault(place: Range, shot: Shot) -> None:
    hit = place.hit(shot)
    assert hit.faults == (), hit.said


@pytest.mark.parametrize("by", [*SIGNALS, signal.SIGHUP])
@pytest.mark.parametrize(
    ("words", "question"),
    [(("compose", "a calm song of 8 bars"), "[y/N] "), (("keys", "set", "anthropic"), "(it is not shown): ")],
)
def test_a_signal_at_a_question_ends_it(
    made: CommandLine, words: tuple[str, ...], question: str, by: signal.Signals
) -> None:
    before, (ours, theirs) = made.content(), os.openpty()
    try:
        terminal = termios.tcgetattr(theirs)
        child = made.start(*words, stdin=theirs)
        heard = ""
        while not heard.endswith(question):
            assert child.stderr is not None
            heard += child.stderr.read(1)
        os.kill(child.pid, by)
        said = ended(child)
        assert (said.status, said.stderr) == (CANCELLED, "")
        assert termios.tcgetattr(theirs) == terminal
    finally:
        os.close(ours)
        os.close(theirs)
    assert made.content() == before


@pytest.mark.parametrize(
    "words", [("list", "tools"), ("list", "tools", "--json"), ("history",), ("--help",), ("runs", "--help")]
)
def test_a_reader_that_goes_away_is_no_fault(made: CommandLine, words: tuple[str, ...]) -> None:
    said = without_reader(made, *words)
    assert said == (0, "")


def test_a_run_goes_on_when_nobody_reads_any_more(killing: Killing) -> None:
    at = killing.home()
    status, notes = without_reader(at, *killing.run_words()[:-1])
    assert status == 0, notes
    assert look(at, killing.ideal).state == "COMPLETED"


def without_reader(at: CommandLine, *words: str) -> tuple[int, str]:
    """Status and stderr of a command whose stdout was closed by its reader before it said anything."""
    child = at.start(*words)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    with child.stderr:
        notes = child.stderr.read()
    return child.wait(), notes


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_an_output_that_is_full_is_told(made: CommandLine, more: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        said = subprocess.run(
            [sys.executable, "-m", "app", "list", "tools", *more], stdout=full, stderr=subprocess.PIPE, text=True,
            cwd=ROOT, env={**os.environ, "BANDLEADER_HOME": str(made.home)},
        )
    assert said.returncode == 6
    assert said.stderr.startswith("error: ")
    assert "Traceback" not in said.stderr

"""Ctrl-C, SIGTERM and readers that go away: the command ends in order and leaves a whole state."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commandline import ROOT, CommandLine, ended
from killing import Killing, kill_at_event
from wholeness import look

SIGNALS = [signal.SIGINT, signal.SIGTERM]
CANCELLED = 130


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("stop"))


@pytest.mark.parametrize("by", SIGNALS)
def test_a_signal_ends_a_run_at_its_next_row(killing: Killing, by: signal.Signals) -> None:
    at = killing.home()
    said = killing.do(at, *killing.run_words(), kill=kill_at_event(at, 40, by))
    assert said.status == CANCELLED
    assert said.json["state"] == "CANCELLED"
    assert said.json["done"] + said.json["not_run"] == said.json["approved"]
    assert 0 < said.json["done"] < said.json["approved"]
    left = look(at, killing.ideal)
    assert [fault for fault in left.faults if "not at its end" not in fault] == []
    made = at.rows("SELECT id FROM iteration WHERE run IS NOT NULL")
    assert made == at.rows("SELECT head FROM project") == [(said.json["iteration"],)]
    assert killing.do(at, "restore", "1").status == 0
    again = killing.do(at, "runs", "resume", said.json["run"], "--json")
    assert again.status == 2
    assert "CANCELLED" in again.json["error"]["why"]


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
        made, "export", "wav", "--out", str(target), "--json",
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
        patience = time.monotonic() + 60
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


def test_a_signal_while_the_program_starts_is_no_fault(killing: Killing) -> None:
    at = killing.home()
    for wait in (0.1, 0.3, 0.5):
        child = at.start("history", cold=True)
        time.sleep(wait)
        child.send_signal(signal.SIGINT)
        said = ended(child)
        if "Failed to import the site module" in said.stderr:
            continue  # the interpreter itself was still starting
        assert said.status in (0, CANCELLED, -signal.SIGINT)
        assert "app/" not in said.stderr


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

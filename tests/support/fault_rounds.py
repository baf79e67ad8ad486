"""One run each on a machine on which something is wrong, and what is wrong with how it ended and was taken up."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from commandline import CommandLine, Said, ended
from disturbing import settled
from faulty_machines import Clock, SmallDisk, clock_library, failing_disk, held
from killing import Killing, dice, kill_at_event
from wholeness import Left, look

_COUNT = "SELECT count(*) FROM event"
_TOLD = (0, 5, 6)
"""Done, not finished, and the machine refuses."""
_ENDED_ALREADY = 2


def bad_end(said: Said) -> list[str]:
    """What is wrong with how a disturbed command ended: it must have gone well, or say clearly what did not."""
    faults = []
    if said.status not in _TOLD:
        faults.append(f"status {said.status}: {said.stderr[-600:]}")
    if "Traceback" in said.stderr + said.stdout or said.stderr.count("error: ") > 1:
        faults.append(f"no clear error: {said.stderr[-900:]}")
    if said.status == 6 and said.stderr.count("error: ") != 1:
        faults.append(f"the machine refuses and no error is told: {said.stderr[-300:]}")
    if said.status in _TOLD and not said.stdout.strip():
        faults.append("no document")
    return faults


def after(killing: Killing, at: CommandLine, said: Said, chance: random.Random) -> tuple[Left, list[str]]:
    """What a disturbed run has left, and what is wrong with it and with taking it up on a machine that is well."""
    left = look(at, killing.ideal)
    faults = [*bad_end(said), *left.faults]
    return left, faults or settled(killing, at, left, chance)


def on_failing_disk(killing: Killing, seed: int) -> tuple[Said, Left, list[str]]:
    """One run with random errors of the disk."""
    at = killing.home()
    said = ended(at.start(*killing.run_words(), through=failing_disk()))
    left, faults = after(killing, at, said, dice(seed))
    killing.end(at)
    return said, left, faults


def on_full_disk(killing: Killing, place: Path, room: int) -> tuple[Said, Left, list[str]]:
    """One run with so many bytes free on its disk, taken up when there is room again."""
    with SmallDisk.at(place) as disk:
        at = killing.home(disk.place / "home")
        disk.leave(room)
        said = killing.do(at, *killing.run_words())
        disk.widen()
        left, faults = after(killing, at, said, dice(room))
    place.rmdir()
    return said, left, faults


def with_small_files(killing: Killing, largest: int) -> tuple[Said, Left, list[str]]:
    """One run whose system refuses files larger than so many bytes."""
    at = killing.home()
    said = killing.do(at, *killing.run_words(), largest_file=largest)
    left, faults = after(killing, at, said, dice(largest))
    killing.end(at)
    return said, left, faults


def on_read_only_disk(killing: Killing, place: Path) -> tuple[Said, Left, list[str]]:
    """One run whose data cannot be written, taken up when it can be."""
    with SmallDisk.at(place) as disk:
        at = killing.home(disk.place / "home")
        disk.only_reads(True)
        said = killing.do(at, *killing.run_words())
        disk.only_reads(False)
        left, faults = after(killing, at, said, dice(1))
    place.rmdir()
    return said, left, faults


def with_held_database(killing: Killing, events: int, seconds: float) -> tuple[Said, Left, list[str]]:
    """One run whose database another process holds for so long, from its so manyeth event on."""
    at = killing.home()
    child = at.start(*killing.run_words())
    kill_at_event(at, events, None)(child.pid)
    with held(at.database, seconds):
        said = ended(child)
    left, faults = after(killing, at, said, dice(events))
    killing.end(at)
    return said, left, faults


def with_jumping_clock(
    killing: Killing, first: str, jumps: Sequence[str], **more: str
) -> tuple[CommandLine, Said, Left, list[str]]:
    """One run during which the clock of its machine jumps, once for each few events."""
    at = killing.home()
    clock = Clock(at.home.with_suffix(".clock"))
    clock.set(first)
    child = at.start(*killing.run_words(), **clock.environment, **more)
    with _jumping(at, clock, jumps):
        said = ended(child)
    left = look(at, killing.ideal)
    return at, said, left, [*bad_end(said), *left.faults]


def with_another_clock(killing: Killing, clock: str, events: int) -> tuple[Said, Said, Left, list[str]]:
    """One run by a program whose clock is wrong, which sleeps at an event while another with a right clock takes it for
    dead, and then goes on."""
    at = killing.home()
    first = at.start(*killing.run_words(), LD_PRELOAD=clock_library(), FAKETIME=clock)
    kill_at_event(at, events, signal.SIGSTOP)(first.pid)
    [(run,)] = at.rows("SELECT id FROM run")
    second = at.job("runs", "resume", run, "--json")
    os.kill(first.pid, signal.SIGCONT)
    said = ended(first)
    faults = [fault for one in (said, second) if one.status != _ENDED_ALREADY for fault in bad_end(one)]
    left = look(at, killing.ideal)
    faults += [*left.faults, *settled(killing, at, left, dice(events))]
    killing.end(at)
    return said, second, left, faults


@contextmanager
def _jumping(at: CommandLine, clock: Clock, jumps: Sequence[str]) -> Iterator[None]:
    over = threading.Event()

    def jump() -> None:
        with closing(sqlite3.connect(f"file:{at.database}?mode=ro", uri=True)) as connection:
            for number, words in enumerate(jumps, 1):
                while not over.is_set() and connection.execute(_COUNT).fetchone()[0] < 6 * number:
                    time.sleep(0.005)
                clock.set(words)

    thread = threading.Thread(target=jump)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


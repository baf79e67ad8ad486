"""What a step costs to store, beside one raw fsync and LangGraph with its SQLite savers.

`python tests/benchmarks/bench_executor.py [--rounds N]`. Plans of 14 and of 1,000 steps run through the real desk on
a real database, in NORMAL and in FULL; LangGraph runs as many nodes and stores a checkpoint after each; raw 4 KiB
appends with fdatasync are measured on the same disk right before each, and everything before that is on the disk
and swept up. All in turning order in one run, so that ratios hold on a machine that is busy with other things;
LangGraph works in a process of its own. It waits for the disk at every step; Bandleader lets steps that follow one
another at once wait together, so what is compared at equal durability is a step that waits by itself.

A bound in microseconds needs a machine that is not slowed by others: what is judged by one waits for a fixed piece of
Python to take about as long as at its best, is measured again where that has changed meanwhile, and how much was
slowed all the same is told. Such a bound is judged twice: in these turns, and by a step that is measured first, before
anything else has filled the machine's caches and its disk.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent.plan.plan import Step
from app.storage.driver import Synchronous
from tests.benchmarks.stepping.ours import EachWaits, Stored, in_memory
from tests.benchmarks.stepping.plans import chain, fan_out, the_registry, volumes
from tests.benchmarks.stepping.theirs import Apart, Saver, installed

SIZES = (14, 1000)
LEVELS: tuple[Synchronous, ...] = ("NORMAL", "FULL")
ALONE = "a step that waits by itself"
STEP, OUTSIDE, EDIT = NAMES = "a step", "a step with an effect outside", "an edit of the song"
ASYNC_SAVER, SAVER = "LangGraph, AsyncSqliteSaver", "LangGraph, SqliteSaver"
LOOP = "LangGraph, one node going round"
BLOCK = b"x" * 4096
SLOWED, TRIES, PATIENCE = 1.4, 6, 10.0
"""So many times its best makes a machine a slowed one; so many seconds are waited before each of so many tries."""
Key = tuple[str, str, int]
MOST_NORMAL, MOST_SYNCS, AHEAD = 100.0, 1.5, 4.0


@dataclass(frozen=True)
class Kind:
    """One thing to measure: `once` gives microseconds per step, and is done `times` in a row; its median counts.

    One that is `bound` is judged by its microseconds, not beside others.
    """

    name: str
    level: str
    size: int
    once: Callable[[], float]
    times: int = 1
    bound: bool = False


@dataclass(frozen=True)
class Measured:
    """Microseconds of a step, and of a raw fsync right before; `slowed`: so many times its best the machine took."""

    step: float
    sync: float
    slowed: float


class Pace:
    """How fast this machine is at the moment, against its best so far."""

    def __init__(self) -> None:
        self._best = min(self._seconds() for _ in range(50))

    def slowed(self) -> float:
        """So many times its best a fixed piece of work takes now; 1 at the least."""
        seconds = min(self._seconds(), self._seconds())
        self._best = min(self._best, seconds)
        return seconds / self._best

    def wait(self) -> None:
        """Wait for the machine to be slowed no more, but not for ever."""
        until = time.perf_counter() + PATIENCE
        while self.slowed() > SLOWED and time.perf_counter() < until:
            time.sleep(0.05)

    @staticmethod
    def _seconds() -> float:
        began = time.perf_counter()
        sum(number * number % 7 for number in range(30_000))
        return time.perf_counter() - began


def raw_syncs(folder: Path, count: int = 100) -> float:
    """Microseconds for an append of 4 KiB that is followed by fdatasync."""
    file = os.open(folder / "raw", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    began = time.perf_counter()
    for _ in range(count):
        os.write(file, BLOCK)
        os.fdatasync(file)
    seconds = time.perf_counter() - began
    os.close(file)
    return seconds / count * 1e6


def of_ours(
    stored: dict[Synchronous, Stored], names: Collection[str] = NAMES, levels: Collection[Synchronous] = LEVELS
) -> Iterator[Kind]:
    """Bandleader's kinds."""
    for size in SIZES:
        plans = {STEP: chain(size), OUTSIDE: chain(size, "tick_outside"), EDIT: volumes(size)}
        for level in levels:
            for name in names:
                steps = plans[name]
                bound = name == STEP and level == "NORMAL"
                yield Kind(name, level, size, _run(stored[level], steps), _times(size), bound)


def of_each_waiting(stored: Stored) -> Iterator[Kind]:
    """Bandleader's step in FULL where none shares its wait for the disk."""
    for size in SIZES:
        yield Kind(ALONE, "FULL", size, _run(stored, chain(size)), _times(size))


def _run(stored: Stored, steps: tuple[Step, ...]) -> Callable[[], float]:
    return lambda: asyncio.run(stored.run(steps)) / len(steps) * 1e6


def of_theirs(graphs: Apart) -> Iterator[Kind]:
    """LangGraph's kinds; going round in one node is measured with the faster of its savers alone."""
    for size in SIZES:
        for level in LEVELS:
            yield Kind(ASYNC_SAVER, level, size, _graph(graphs, "async", size, level), _times(size))
            yield Kind(SAVER, level, size, _graph(graphs, "sync", size, level), _times(size))
            yield Kind(LOOP, level, size, _graph(graphs, "sync", size, level, loop=True), _times(size))


def _graph(graphs: Apart, saver: Saver, size: int, level: Synchronous, *, loop: bool = False) -> Callable[[], float]:
    return lambda: graphs.run(saver, size, level, loop=loop) / size * 1e6


def _times(size: int) -> int:
    return max(3, 140 // size)


def measure(folder: Path, kinds: list[Kind], rounds: int, pace: Pace) -> dict[Key, list[Measured]]:
    """Each kind in each round, with what a raw fsync took right before it.

    A round before the first is not counted: while a new file grows, each wait for the disk is also one for its length.
    """
    taken: dict[Key, list[Measured]] = {(kind.name, kind.level, kind.size): [] for kind in kinds}
    for kind in kinds:
        for _ in range(kind.times):
            kind.once()
    for turn in range(rounds):
        at = turn * len(kinds) // rounds
        for kind in kinds[at:] + kinds[:at]:
            tries = (_measured(folder, kind, pace) for _ in range(TRIES if kind.bound else 1))
            taken[kind.name, kind.level, kind.size].append(_least_slowed(tries))
    return taken


def _least_slowed(tries: Iterator[Measured]) -> Measured:
    """The first that was not slowed, else the one that was slowed least."""
    tried: list[Measured] = []
    for one in tries:
        tried.append(one)
        if one.slowed <= SLOWED:
            break
    return min(tried, key=lambda one: one.slowed)


def _measured(folder: Path, kind: Kind, pace: Pace) -> Measured:
    # What the one before has left on its way to the disk, and of rubbish, is not this one's to wait for.
    gc.collect()
    os.sync()
    sync = raw_syncs(folder)
    if kind.bound:
        pace.wait()
    before = pace.slowed()
    step = statistics.median(kind.once() for _ in range(kind.times))
    return Measured(step, sync, max(before, pace.slowed()))


def table(taken: dict[Key, list[Measured]]) -> None:
    """Print what was measured."""
    syncs = [one.sync for several in taken.values() for one in several]
    print("microseconds per step, state stored per step: median (least) of the rounds")
    print(f"one raw fsync (4 KiB append + fdatasync): {statistics.median(syncs):.0f} ({min(syncs):.0f})")
    slowed = [one for several in taken.values() for one in several if one.slowed > SLOWED]
    print(f"measured while the machine was slowed by others: {len(slowed)} of {len(syncs)}\n")
    print(f"{'':40}" + "".join(f"{f'{size} steps':>18}{'x fsync':>9}" for size in SIZES))
    for name, level in dict.fromkeys((name, level) for name, level, _ in taken):
        cells = ""
        for size in SIZES:
            several = taken[name, level, size]
            steps = [one.step for one in several]
            cells += f"{statistics.median(steps):10.0f} ({min(steps):5.0f}){_in_syncs(several):9.2f}"
        print(f"{name:32}{level:8}{cells}")


def _in_syncs(several: list[Measured]) -> float:
    return statistics.median(one.step / one.sync for one in several)


def before_all_else(alone: dict[Key, list[Measured]]) -> None:
    """Print what a step takes while nothing else is measured."""
    print("\na step in NORMAL before anything else is measured: microseconds, median (least, most) of the rounds")
    for (_, _, size), several in alone.items():
        steps = [one.step for one in several]
        print(f"  {f'{size} steps':<12}{statistics.median(steps):6.0f} ({min(steps):.0f}, {max(steps):.0f})")


def verdicts(taken: dict[Key, list[Measured]], alone: dict[Key, list[Measured]], theirs: bool) -> None:
    """Print the targets, and whether they are met, by medians of the rounds."""
    print("\ntargets for a step")
    for size in SIZES:
        for when, measured in (("in turns", taken), ("before all else", alone)):
            normal = statistics.median(one.step for one in measured[STEP, "NORMAL", size])
            told = f"{normal:.0f} µs, at most {MOST_NORMAL:.0f}{_but_slowed(measured[STEP, 'NORMAL', size])}"
            _verdict(f"{size} steps, NORMAL, {when}: {told}", normal <= MOST_NORMAL)
        for step in (ALONE, STEP):
            syncs = _in_syncs(taken[step, "FULL", size])
            _verdict(f"{size} steps, FULL, {step}: {syncs:.2f} x one fsync, at most {MOST_SYNCS}", syncs <= MOST_SYNCS)
        for name in (ASYNC_SAVER, SAVER, LOOP) if theirs else ():
            for level in reversed(LEVELS):
                ours = ALONE if level == "FULL" else STEP
                pairs = zip(taken[name, level, size], taken[ours, level, size], strict=True)
                ahead = statistics.median(their.step / our.step for their, our in pairs)
                _verdict(f"{size} steps, {level}: {ahead:.1f} x ahead of {name}, at least {AHEAD:.0f}", ahead >= AHEAD)
    if not theirs:
        print("  LangGraph is not installed: `make bench` gets it")


def _but_slowed(several: list[Measured]) -> str:
    slowed = sum(one.slowed > SLOWED for one in several)
    return f" ({slowed} of {len(several)} slowed by others)" if slowed else ""


def _verdict(what: str, met: bool) -> None:
    print(f"  {'met   ' if met else 'MISSED'}  {what}")


def without_a_store() -> None:
    """Print the executor's own time, for plans of growing size: it stays the same for each step."""
    registry = the_registry()
    print("\nthe executor itself, nothing stored: microseconds per step or item, least of 5")
    for name, plan, sizes in (("a chain of", chain, (250, 500, 1000)), ("a fan-out over", fan_out, (50, 100, 200))):
        for size in sizes:
            steps = plan(size)
            least = min(asyncio.run(in_memory(steps, registry)) for _ in range(5))
            print(f"  {name} {size:<5} {least / size * 1e6:8.1f}")


def main(rounds: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as name:
        folder, registry, theirs = Path(name), the_registry(), installed()
        stored: dict[Synchronous, Stored] = {level: Stored(folder, level, registry) for level in LEVELS}
        pace = Pace()
        each = Stored(folder, "FULL", registry, EachWaits)
        alone = measure(folder, list(of_ours(stored, (STEP,), ("NORMAL",))), 3 * rounds, pace)
        graphs = Apart(folder) if theirs else None
        kinds = [*of_ours(stored), *of_each_waiting(each), *(of_theirs(graphs) if graphs is not None else ())]
        taken = measure(folder, kinds, rounds, pace)
        for one in (*stored.values(), each):
            one.database.close()
        if graphs is not None:
            graphs.close()
    table(taken)
    before_all_else(alone)
    verdicts(taken, alone, theirs)
    without_a_store()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    sys.exit(main(parser.parse_known_args()[0].rounds))

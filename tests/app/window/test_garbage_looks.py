"""What is looked through for garbage, and when: short looks always, all only while nobody does anything."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.window.garbage import MIDDLE, OLD, WORTH, Garbage

ROOT = Path(__file__).parents[3]


class Node:
    """Part of a cycle."""

    def __init__(self) -> None:
        self.me = self


class Stage:
    """Garbage that is looked for by hand, and what the interpreter was told to look through."""

    def __init__(self) -> None:
        self.idle = False
        self.parent = QObject()
        self.garbage = Garbage(self.parent, lambda: self.idle)
        self.looks: list[tuple[int, int]] = []
        """Each look: its generation, and how many objects it went through."""

    def note(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            generation = info["generation"]
            sizes = [len(gc.get_objects(generation=one)) for one in range(generation + 1)]
            self.looks.append((generation, sum(sizes)))

    def live_on(self, kept: list[object], count: int) -> None:
        """Objects that stay, looked at as often as the timer would."""
        for _ in range(0, count, 1000):
            kept.extend([Node() for _ in range(1000)])
            self.garbage.look()


@pytest.fixture
def stage(qapp: QApplication) -> Iterator[Stage]:
    made = Stage()
    gc.callbacks.append(made.note)
    yield made
    gc.callbacks.remove(made.note)
    made.garbage.end()
    gc.disable()
    gc.collect()


def test_no_look_goes_through_more_than_one_generation_holds(stage: Stage) -> None:
    kept: list[object] = []
    stage.live_on(kept, OLD * 2)
    assert {generation for generation, _ in stage.looks} == {0, 1, 2}
    assert max(count for _, count in stage.looks) <= OLD + 5_000
    assert max(count for generation, count in stage.looks if generation == 1) <= MIDDLE + 5_000


def test_what_start_up_made_is_in_no_look(stage: Stage) -> None:
    kept = [Node() for _ in range(5_000)]
    stage.garbage.settle()
    Node()
    stage.live_on([], OLD + 2_000)
    assert gc.get_freeze_count() > len(kept)
    gone = weakref.ref(kept.pop())
    stage.live_on([], OLD + 2_000)
    assert gone() is not None, "it was settled"


def test_young_garbage_is_collected_while_something_goes_on(stage: Stage) -> None:
    gone = [weakref.ref(Node()) for _ in range(2_000)]
    stage.garbage.look()
    assert not any(one() for one in gone)


def test_what_had_settled_is_collected_when_nobody_does_anything(stage: Stage) -> None:
    kept: list[object] = []
    stage.live_on(kept, _enough())
    gone = [weakref.ref(one) for one in kept]
    kept.clear()
    stage.live_on([], OLD + 2_000)
    assert any(one() is not None for one in gone), "they were settled, and something goes on"
    stage.idle = True
    stage.garbage.look()
    assert not any(one() is not None for one in gone)
    stage.looks.clear()
    stage.live_on([], 2_000)
    assert all(generation < 2 for generation, _ in stage.looks), "all was looked through just now"


def test_memory_has_an_end_while_nobody_ever_rests() -> None:
    """In a program of its own: how long it takes depends on how much is alive, and here the whole suite is."""
    said = subprocess.run([sys.executable, "-c", _NEVER_AT_REST], cwd=ROOT, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr


_NEVER_AT_REST = """
import gc
from PySide6.QtCore import QCoreApplication, QObject
from app.window.garbage import OLD, WORTH, Garbage
from tests.app.window.test_garbage_looks import Node

application, parent = QCoreApplication([]), QObject()
garbage = Garbage(parent, lambda: False)
batch, alive = OLD + 10_000, gc.get_freeze_count()
most = alive + 3 * max(WORTH, alive + batch) + 2 * batch
for _ in range(0, 2 * most, batch):
    kept = []
    for _ in range(0, batch, 1000):
        kept.extend([Node() for _ in range(1000)])
        garbage.look()
    assert gc.get_freeze_count() < most
    # Each of them is a cycle; only a look through all can find it.
    kept.clear()
garbage.end()
"""


def _enough() -> int:
    """Objects that make a look through all due, once nothing goes on."""
    return max(WORTH, gc.get_freeze_count()) + OLD + 10_000

"""A change by hand in the piano roll, one by the agent, both undone, a branch, and a comparison by eye and ear."""

from __future__ import annotations

from pathlib import Path

from hands import approve, ask, history, lanes, settle
from screens import Screen

FIRST = "a calm lofi beat in D minor at 82 bpm, 8 bars"
CHANGE = "make it slower and softer"


def walk(screen: Screen, home: Path) -> None:
    """Ends in a branch, with two iterations compared."""
    ask(screen, FIRST)
    approve(screen)
    _transpose_by_hand(screen)
    ask(screen, CHANGE)
    screen.shot("2 the agent's plan for it")
    approve(screen)
    screen.wait(f"Iteration {CHANGE}", "list item")
    screen.shot("3 done")
    screen.keys("Escape", "ctrl+z")
    screen.wait("Iteration Undo", "list item")
    screen.keys("ctrl+z")
    _many(screen, "Iteration Undo", 2)
    screen.shot("4 both undone")
    _branch(screen)
    _compare(screen)


def _transpose_by_hand(screen: Screen) -> None:
    screen.keys("Escape")
    screen.click_at(*lanes(screen).at(0.55, 0))
    screen.keys("ctrl+2")
    settle(screen)
    before = len(screen.find("Iteration", "list item"))
    screen.keys("ctrl+a", "alt+Up")
    _many(screen, "Iteration", before + 1)
    settle(screen)
    screen.shot("1 an octave up by hand")


def _branch(screen: Screen) -> None:
    history(screen)
    screen.click(f"Iteration {CHANGE}", "list item")
    screen.click("Branch", "push button")
    settle(screen)
    settle(screen)
    screen.shot("5 a branch")


def _compare(screen: Screen) -> None:
    screen.click(f"Iteration {CHANGE}", "list item")
    first = screen.wait(f"Iteration {FIRST[:20]}", "list item")
    screen.do("keydown", "ctrl")
    screen.click_at(*first.middle)
    screen.do("keyup", "ctrl")
    screen.click("Compare", "push button")
    screen.wait("Close", "push button")
    settle(screen)
    screen.keys("n", "n")
    screen.shot("6 compared")
    screen.keys("3")
    settle(screen)
    screen.shot("7 only what differs")
    screen.click("Close", "push button")
    screen.wait("Timeline")


def _many(screen: Screen, name: str, count: int) -> None:
    """Wait until so many lines of the history begin so."""
    for _ in range(100):
        if len(screen.find(name, "list item")) >= count:
            return
        settle(screen)
    raise AssertionError(f"{count} of {name!r} wanted, {[one.name for one in screen.find('Iteration', 'list item')]}")

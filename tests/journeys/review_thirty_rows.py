"""A plan of more than thirty rows: some are left out, one is edited, one refused with a reason, the rest run."""

from __future__ import annotations

from pathlib import Path

from hands import approve, ask, cell, settle
from screens import Screen

REQUEST = "a calm lofi beat in D minor at 82 bpm, 8 bars"


def walk(screen: Screen, home: Path) -> None:
    """Ends with exactly the approved rows done, and the others named as left out."""
    ask(screen, REQUEST)
    count = approved(screen)
    assert count > 30
    screen.click_at(*cell(screen, 4).middle)
    screen.wait(f"Approve and run {count - 1}", "push button")
    screen.keys("x")
    screen.wait(f"Approve and run {count}", "push button")
    screen.click("Approve all of Form", "table cell")
    _click_box_of(screen, "Approve all of Form")
    screen.wait(f"Approve and run {count - 2}", "push button")
    screen.shot("1 a group left out")
    _edit_the_tempo(screen)
    _refuse_with_a_reason(screen, count - 3)
    screen.shot("3 edited and refused")
    approve(screen)
    screen.wait("Iteration", "list item")
    settle(screen)
    screen.shot("4 done")
    assert screen.find(f"approved {count - 3}"), "the ledger names what was approved"


def approved(screen: Screen) -> int:
    """The number on the button."""
    return int(screen.wait("Approve and run", "push button").name.split()[-1])


def _click_box_of(screen: Screen, name: str) -> None:
    left, top, _, height = screen.wait(name, "table cell").place
    screen.click_at(left + round(30 * screen.scale), top + height // 2)


def _edit_the_tempo(screen: Screen) -> None:
    tempo = next(one for one in screen.find("Step 1,", "table cell") if one.place[2] > 200 * screen.scale)
    screen.click_at(*tempo.middle)
    screen.keys("F2")
    field = screen.wait("Tempo, BPM", "text")
    screen.click_at(*field.middle)
    screen.keys("ctrl+a")
    screen.type("76")
    screen.shot("2 the form")
    screen.click("Save", "push button")
    screen.wait("Step 1, Slow the song from 120 to 76 BPM", "table cell")


def _refuse_with_a_reason(screen: Screen, left: int) -> None:
    loudness = next(one for one in screen.find("Step 3,", "table cell") if one.place[2] > 200 * screen.scale)
    screen.click_at(*loudness.middle)
    screen.keys("shift+x")
    screen.wait("Reject", "push button")
    screen.type("keep it loud")
    screen.keys("Return")
    screen.wait(f"Approve and run {left}", "push button")

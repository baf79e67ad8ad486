"""What a person's hands do in the window of Bandleader, whatever its size."""

from __future__ import annotations

import time
from dataclasses import dataclass

from screens import Screen, Thing

HEADERS, RULER = 236, 40


@dataclass(frozen=True)
class Lanes:
    """Where the timeline's lanes are on the screen, and the `height` of one there; `scale` as the screen's."""

    place: tuple[int, int, int, int]
    scale: float
    height: int

    def at(self, x: float, lane: float) -> tuple[int, int]:
        """A place at a share (0-1) of the lanes' width, in a lane counted from 0."""
        left, top, width, _ = self.place
        headers = HEADERS * self.scale
        across = left + headers + x * (width - headers)
        return round(across), round(top + RULER * self.scale + (lane + 0.6) * self.height)


def ask(screen: Screen, request: str) -> None:
    """Write a request and wait for its plan."""
    screen.keys("ctrl+l")
    screen.type(request)
    screen.keys("Return")
    screen.wait("Approve and run", "push button")
    settle(screen)


def approve(screen: Screen) -> None:
    """Run what is approved and wait until it is done."""
    screen.click("Approve and run", "push button")
    screen.gone("Approve and run", "push button")
    screen.wait("Iteration", "list item")
    settle(screen)


def cell(screen: Screen, step: int) -> Thing:
    """The box of a step in the plan."""
    return next(one for one in screen.find(f"Approve step {step}", "table cell") if one.name == f"Approve step {step}")


def lanes(screen: Screen) -> Lanes:
    """Where the timeline is."""
    place = screen.wait("Timeline").place
    headers = [one for one in screen.things() if one.role == "list item" and one.place[0] == place[0]]
    return Lanes(place, screen.scale, headers[0].place[3])


def history(screen: Screen) -> None:
    """Bring the history into sight, which a narrow window has behind the chat."""
    if not any(one.in_sight for one in screen.find("Iterations", "list")):
        screen.click("History", "page tab")
        settle(screen)


def settle(screen: Screen) -> None:
    """Give the window time to draw what it says already."""
    screen.do("sleep", "0.5")
    time.sleep(0.1)

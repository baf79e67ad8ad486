"""What ended while nobody looked: told in the window, and outside of it where that is allowed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from PySide6.QtWidgets import QPushButton, QWidget

from agent.session.run_state import RunState
from app.ui.shell.notices import Notices, Tray

Show = Callable[..., None]


@dataclass
class Noted:
    """Takes the place of the system."""

    told: list[str] = field(default_factory=list)
    closed: int = 0

    def tell(self, title: str, words: str) -> None:
        assert title
        self.told.append(words)

    def close(self) -> None:
        self.closed += 1


async def ran(one, plan: str = "a calm lofi beat, 4 bars") -> None:  # type: ignore[no-untyped-def]
    """Plan something and carry it out."""
    await one.room.plan(plan)
    await one.room.approve()
    await one.room.still()


@pytest.mark.parametrize("allowed", [True, False])
@pytest.mark.parametrize("in_front", [True, False])
def test_a_run_that_ended_is_told_to_who_looks_elsewhere(shown: Show, *, allowed: bool, in_front: bool) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        noted, wanted = Noted(), []
        attached, other = one.window._attached, QWidget()
        notices = Notices(one.window, attached.strips, noted, lambda: allowed, wanted.append)
        attached.notices.close()
        notices.follow(one.room.opened)
        if not in_front:
            other.show()
            other.activateWindow()
            await one.room.until(lambda: not one.window.isActiveWindow())
        await ran(one)
        live = one.room.opened.running.live.value
        assert live.state is RunState.COMPLETED
        words = f"The run has ended: {live.ledger.done} steps done"
        assert noted.told == ([words] if allowed and not in_front else [])
        strip = attached.strips._result
        assert (strip is None) is in_front
        if strip is not None:
            assert strip.accessibleName() == words
            [button] = strip.findChildren(QPushButton)
            button.click()
            assert wanted == [live.run]
        notices.close()
        other.deleteLater()

    shown(story)


def test_a_run_of_an_earlier_day_is_no_news(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        await ran(one)
        noted, other = Noted(), QWidget()
        other.show()
        other.activateWindow()
        await one.room.until(lambda: not one.window.isActiveWindow())
        notices = Notices(one.window, one.window._attached.strips, noted, lambda: True, lambda _: None)
        notices.follow(one.room.opened)
        await one.room.opened.running.show(one.room.opened.running.live.value.run)
        await one.room.still()
        assert noted.told == []
        notices.close()
        other.deleteLater()

    shown(story)


def test_where_the_system_tells_nothing_nothing_breaks(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        tray = Tray(one.window, lambda: None)
        tray.tell("Bandleader", "x" * 5000)
        tray.close()

    shown(story)

"""A window whose screen is gone comes back into sight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication

from app.ui.shell.looks import Looks
from app.ui.shell.window_frame import fitted_to_screens

MAIN, SECOND = QRect(0, 0, 1920, 1080), QRect(1920, 0, 1280, 1024)
places = st.builds(
    QRect, st.integers(-9000, 9000), st.integers(-9000, 9000), st.integers(200, 4000), st.integers(100, 3000)
)


@given(places, st.sampled_from([[MAIN], [MAIN, SECOND], [SECOND, MAIN]]))
def test_wherever_a_window_was_its_top_can_be_seen_and_taken(frame: QRect, screens: list[QRect]) -> None:
    there = fitted_to_screens(frame, screens)
    top = QRect(there.topLeft(), QPoint(there.right(), there.top() + 39))
    assert any(min(160, frame.width()) <= screen.intersected(top).width() for screen in screens)
    assert fitted_to_screens(there, screens) == there


@given(st.builds(QRect, st.integers(0, 900), st.integers(0, 500), st.integers(200, 1000), st.integers(100, 500)))
def test_a_window_that_can_be_seen_stays_where_it_is(frame: QRect) -> None:
    assert fitted_to_screens(frame, [MAIN, SECOND]) == frame


def test_a_window_on_a_screen_that_is_gone_opens_in_sight(shown: Callable[..., None]) -> None:
    kept: list[Looks] = []

    async def far_away(one) -> None:  # type: ignore[no-untyped-def]
        one.window.move(7000, 5000)
        kept.append(replace(one.window.looks(), layout=""))

    async def again(one) -> None:  # type: ignore[no-untyped-def]
        room = QGuiApplication.primaryScreen().availableGeometry()
        assert room.intersects(one.window.geometry())
        one.window.move(7000, 5000)
        one.window.come_into_sight()
        assert room.contains(one.window.geometry().topLeft())

    shown(far_away)
    shown(again, kept[0])

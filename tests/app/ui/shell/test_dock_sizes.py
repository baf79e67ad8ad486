"""How wide docks are: as the person pulled them, in this window and in the next one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.ui.shell.dock_names import CHAT, HISTORY, PLAN
from app.ui.shell.dock_sizes import DockSizes
from app.ui.shell.looks import Looks

Show = Callable[..., None]


def pull(window, name: str, by: int) -> None:  # type: ignore[no-untyped-def]
    """Make a dock larger with the mouse."""
    place = window.docks.docks[name].geometry()
    middle = place.center()
    start, way = {
        CHAT: (QPoint(place.right() + 1, middle.y()), QPoint(by, 0)),
        HISTORY: (QPoint(place.left() - 1, middle.y()), QPoint(-by, 0)),
        PLAN: (QPoint(middle.x(), place.top() - 1), QPoint(0, -by)),
    }[name]
    QTest.mousePress(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    for part in (0.5, 1.0):
        QTest.mouseMove(window, start + way * part)
        QTest.qWait(5)
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start + way)


def sizes(window) -> tuple[int, int, int]:  # type: ignore[no-untyped-def]
    """Widths of chat and history, and the height of the plan."""
    docks = window.docks.docks
    return docks[CHAT].width(), docks[HISTORY].width(), docks[PLAN].height()


async def arranged(one) -> tuple[int, int, int]:  # type: ignore[no-untyped-def]
    """Work on a song with docks as large as a person wants them."""
    one.run("file.new")
    one.refresh()
    await one.room.still()
    for name, by in ((CHAT, 64), (HISTORY, 38), (PLAN, -83)):
        pull(one.window, name, by)
    made = sizes(one.window)
    assert made[:2] == (400, 330)
    return made


def test_docks_are_as_large_as_the_person_left_them(shown: Show) -> None:
    kept: list[Looks] = []
    made: list[tuple[int, int, int]] = []

    async def arrange(one) -> None:  # type: ignore[no-untyped-def]
        made.append(await arranged(one))
        kept.append(one.window.looks())

    async def again(one) -> None:  # type: ignore[no-untyped-def]
        # On the start page already, and then with a song.
        assert sizes(one.window)[:2] == made[0][:2]
        one.run("file.new")
        one.refresh()
        await one.room.still()
        assert sizes(one.window) == made[0]
        one.run("window.reset")
        await one.room.still()
        assert sizes(one.window) == (336, 292, 503)
        assert one.window.looks().sizes == ""

    shown(arrange)
    shown(again, kept[0])


def test_a_page_that_needs_the_room_has_it_only_for_its_time(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        made = await arranged(one)
        page = QWidget()
        page.setMinimumWidth(1100)
        one.window._attached.central.put(page)
        one.run("window.chat_dock")
        await one.room.still()
        assert sizes(one.window)[0] < made[0]
        assert sizes(one.window)[1] < made[1]
        one.window._attached.central.put(None)
        await one.room.still()
        assert sizes(one.window) == made
        page.deleteLater()

    shown(story)


def test_a_smaller_window_gives_everything_back_when_it_grows(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        window = one.window
        made = await arranged(one)
        window.resize(1440, 900)
        await one.room.still()
        assert sizes(window) == tuple(round(size * 0.9) for size in made)
        window.resize(1280, 720)
        await one.room.still()
        assert sizes(window)[0] == 280
        pull(window, CHAT, 20)
        window.resize(1600, 1000)
        await one.room.still()
        assert sizes(window) == made
        window.resize(1280, 720)
        await one.room.still()
        assert sizes(window)[0] == 300
        window.resize(1920, 1000)
        await one.room.still()
        assert sizes(window) == made

    shown(story)


def test_a_start_in_a_narrow_window_loses_no_size(shown: Show) -> None:
    kept: list[Looks] = []
    made: list[tuple[int, int, int]] = []

    async def arrange(one) -> None:  # type: ignore[no-untyped-def]
        made.append(await arranged(one))
        one.window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, one.window.docks.docks[CHAT])
        one.window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, one.window.docks.docks[HISTORY])
        one.window.resize(1280, 720)
        await one.room.still()
        kept.append(one.window.looks())

    async def narrow(one) -> None:  # type: ignore[no-untyped-def]
        one.window.resize(1280, 720)
        await one.room.still()
        one.run("file.new")
        kept[0] = one.window.looks()
        one.window.resize(1600, 1000)
        await one.room.still()
        assert sizes(one.window) == made[0]
        docks = one.window.docks.docks
        assert one.window.dockWidgetArea(docks[CHAT]) is Qt.DockWidgetArea.RightDockWidgetArea
        assert one.window.dockWidgetArea(docks[HISTORY]) is Qt.DockWidgetArea.LeftDockWidgetArea

    shown(arrange)
    shown(narrow, kept[0])
    shown(narrow, kept[0])


def test_what_is_open_in_a_narrow_window_is_so_in_the_wide_one(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        window = one.window
        await arranged(one)
        window.resize(1280, 720)
        await one.room.still()
        one.run("window.plan_dock")
        window.resize(1600, 1000)
        await one.room.still()
        assert window.docks.shown() == {CHAT, HISTORY}

    shown(story)


def test_closing_a_window_keeps_what_was_seen_of_it(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        window = one.window
        await arranged(one)
        seen = window.looks()
        window.close()
        # As a window manager does with one that was maximized.
        window.resize(1280, 720)
        assert window.looks() == seen

    shown(story)


@pytest.mark.parametrize("text", ["chat", "chat:0/1600", "chat:9/1600", "mixer:300/1600", "chat:300", "chat:-4/x ;\0"])
def test_sizes_that_are_damaged_are_left_out(text: str) -> None:
    found = DockSizes()
    found.restore(f"{text} history:300/1600")
    assert found.to_text() == "history:300/1600"


@given(
    st.dictionaries(st.tuples(st.sampled_from([CHAT, HISTORY, PLAN]), st.booleans()), st.integers(10, 5000)),
    st.integers(1024, 5000), st.integers(640, 5000),
)
def test_what_was_chosen_is_read_as_it_was_written(
    chosen: dict[tuple[str, bool], int], width: int, height: int
) -> None:
    made, again = DockSizes(), DockSizes()
    for (name, narrow), size in chosen.items():
        made.choose(name, size, width, height, narrow=narrow)
    again.restore(made.to_text())
    assert again.to_text() == made.to_text()
    for (name, narrow), size in chosen.items():
        assert again.wanted(name, width, height, narrow=narrow) == size
        assert again.wanted(name, width + 500, height + 500, narrow=narrow) == size

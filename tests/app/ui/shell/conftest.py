"""A main window over a real desktop, with plain widgets in place of its rooms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TypedDict

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from rooms import Room, in_room

from app.ui.kit.theme import Theme
from app.ui.shell.looks import Looks
from app.ui.shell.main_window import MainWindow
from app.ui.shell.views import (
    ChatPart,
    DockedView,
    EventsPart,
    HistoryPart,
    PlanPart,
    TimelinePart,
    ViewFactories,
    WelcomeDoors,
    WelcomePart,
)
from app.viewmodels.watched import Watched


class _Made(TypedDict):
    """What every part has."""

    widget: QWidget
    focus: Callable[[], None]
    close: Callable[[], None]


class Shown:
    """A window with its room; `log` tells what parts were asked, made and closed."""

    def __init__(self, room: Room, window: MainWindow, log: list[str]) -> None:
        self.room, self.window, self.log = room, window, log

    def run(self, name: str) -> None:
        """Do an action, as its menu does."""
        self.refresh()
        self.window.actions_.run(name)

    def refresh(self) -> None:
        """Let the window catch up at once."""
        self.window._refresh()

    def page(self) -> str:
        """The page in the middle."""
        self.refresh()
        widget = self.window.pages.currentWidget()
        return "" if widget is None else widget.objectName()

    @property
    def strips(self) -> list[str]:
        """What the messages under the transport say."""
        attached = self.window._attached
        assert attached is not None
        return [strip.trouble.what for strip in attached.strips.strips]


def plain_parts(log: list[str]) -> ViewFactories:
    """Views with one text field each."""

    def made(name: str) -> _Made:
        widget, field = QWidget(), QLineEdit()
        widget.setObjectName(name)
        field.setObjectName(f"{name} field")
        QVBoxLayout(widget).addWidget(field)
        log.append(f"{name} made")
        return {"widget": widget, "focus": field.setFocus, "close": lambda: log.append(f"{name} closed")}

    def welcome(_desktop: object, _kit: object, doors: WelcomeDoors) -> WelcomePart:
        return WelcomePart(**made("welcome"), choose=lambda at: doors.put(f"request {at}"))

    return ViewFactories(
        lambda *_: ChatPart(**made("chat"), put=lambda words: log.append(f"put {words}")),
        lambda *_: PlanPart(**made("plan"), act=log.append, badge=Watched("")),
        lambda *_: EventsPart(
            **made("events"), show_step=lambda step: log.append(f"events of {step}"), badge=Watched("")
        ),
        lambda *_: TimelinePart(**made("timeline"), act=log.append),
        lambda *_: DockedView(**made("pianoroll")),
        lambda *_: DockedView(**made("mixer")),
        lambda *_: HistoryPart(
            **made("history"), choose=lambda wanted: log.append(f"iteration {wanted}"), acts=SimpleNamespace()
        ),
        lambda *_: DockedView(**made("transport")),
        welcome,
    )


Story = Callable[[Shown], Awaitable[None]]


@pytest.fixture
def shown(theme: Theme, tmp_path: Path, qloop) -> Callable[..., None]:  # type: ignore[no-untyped-def]
    """Runs a story about a window of 1600 × 1000."""

    def tell(story: Story, looks: Looks | None = None) -> None:
        async def in_window(room: Room) -> None:
            log: list[str] = []
            window = MainWindow(theme, looks or Looks())
            window.resize(1600, 1000)
            window.show()
            window.activateWindow()
            window.attach(room.desktop, room.kit, plain_parts(log))
            try:
                await room.until(window.isActiveWindow)
                await story(Shown(room, window, log))
                await room.still()
            finally:
                window.detach()
                window.hide()
                window.deleteLater()
                QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

        qloop.run(in_room(theme, tmp_path / "home", in_window))

    return tell

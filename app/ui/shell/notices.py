"""What ended while the window was not in front: told in the window, and by the system where it can and may."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from app.ui.kit.icons import icon
from app.ui.kit.subscriptions import Subscriptions
from app.ui.shell.strips import Strips
from app.words import tr, trn

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.desktop.open_project import OpenProject
    from app.desktop.plan.live_run import LiveRun

_LONGEST = 200


class Messenger(Protocol):
    """Tells the person outside the window; `tell` does nothing where the system has no place for it."""

    def tell(self, title: str, words: str) -> None: ...
    def close(self) -> None: ...


class Tray:
    """The system's own messages, by an icon that is there only while one is shown; a click on one calls `wanted`."""

    def __init__(self, parent: QWidget, wanted: Callable[[], None]) -> None:
        self._parent = parent
        self._wanted = wanted
        self._icon: QSystemTrayIcon | None = None

    def tell(self, title: str, words: str) -> None:
        """Show a message."""
        if not QSystemTrayIcon.isSystemTrayAvailable() or not QSystemTrayIcon.supportsMessages():
            return
        if self._icon is None:
            self._icon = QSystemTrayIcon(icon("baton", "agent"), self._parent)
            self._icon.setToolTip(QApplication.applicationDisplayName())
            self._icon.messageClicked.connect(self._wanted)
            self._icon.activated.connect(lambda _: self._wanted())
        self._icon.show()
        self._icon.showMessage(title, words[:_LONGEST], self._icon.icon())

    def close(self) -> None:
        """Take the icon away."""
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None


class Notices:
    """Follows the open project. `allowed` says whether the system may tell, `show_run` brings a run's plan forward."""

    def __init__(
        self, window: QWidget, strips: Strips, messenger: Messenger, allowed: Callable[[], bool],
        show_run: Callable[[str], None],
    ) -> None:
        self._window = window
        self._strips = strips
        self._messenger = messenger
        self._allowed = allowed
        self._show_run = show_run
        self._running = ""
        self._subscriptions = Subscriptions()

    def follow(self, opened: OpenProject) -> None:
        """Tell of another project's runs."""
        self._subscriptions.close()
        self._running = ""
        self._subscriptions.add(opened.running.live.watch(self._look))

    def close(self) -> None:
        """Follow nothing."""
        self._subscriptions.close()
        self._messenger.close()

    def seen(self) -> None:
        """The window is in front: the system needs to tell nothing any more."""
        self._messenger.close()

    def tell(self, words: str) -> None:
        """Something that the window itself shows has ended; the system tells it if the window is not in front."""
        if self._window.isActiveWindow():
            return
        QApplication.alert(self._window)
        if self._allowed():
            self._messenger.tell(QApplication.applicationDisplayName(), words)

    def _look(self, live: LiveRun | None) -> None:
        if live is None:
            self._running = ""
        elif live.running:
            self._running = live.run
        elif self._running == live.run and not live.paused:
            self._running = ""
            self._ended(live)

    def _ended(self, live: LiveRun) -> None:
        if self._window.isActiveWindow():
            return
        words, run = ended_words(live), str(live.run)
        self._strips.report(words, ((tr("Show the run"), lambda: self._show_run(run)),), well=not live.failed)
        self.tell(words)


def ended_words(live: LiveRun) -> str:
    """How a run ended: "The run has ended: 9 steps done, 1 needs you"."""
    done = trn("{count} step done", "{count} steps done", live.ledger.done)
    if not live.failed:
        return tr("The run has ended: {done}", done=done)
    bad = trn("{count} needs you", "{count} need you", len(live.failed))
    return tr("The run has ended: {done}, {failed}", done=done, failed=bad)

"""What ended while the window was not in front: told in the window, and by the system where it can and may."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from app.i18n import tr, trn
from app.ui.kit.icons import icon
from app.ui.kit.subscriptions import Subscriptions
from app.ui.shell.notification_bar import NotificationBar

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.viewmodels.open_project import OpenProject
    from app.viewmodels.plan.live_run import LiveRun

_LONGEST = 200


class Messenger(Protocol):
    """Notifications of the desktop system; `tell` does nothing where the system has none."""

    def tell(self, title: str, words: str) -> None: ...
    def close(self) -> None: ...


class Tray:
    """Shows notifications by a system tray icon that is there only while one is shown; a click on one calls
    `wanted`."""

    def __init__(self, parent: QWidget, wanted: Callable[[], None]) -> None:
        self._parent = parent
        self._wanted = wanted
        self._icon: QSystemTrayIcon | None = None

    def tell(self, title: str, words: str) -> None:
        """Show a notification; does nothing where the system has no tray."""
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
        """Remove the icon."""
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None


class Notices:
    """Reports ended runs and exports, in `strips` and, while the window is not in front, by the system's notifications.

    `allowed` says whether those are wanted; `show_run` is called with a run's id to show its plan."""

    def __init__(
        self, window: QWidget, strips: NotificationBar, messenger: Messenger, allowed: Callable[[], bool],
        show_run: Callable[[str], None],
    ) -> None:
        self._window = window
        self._strips = strips
        self.messenger = messenger
        """Holds the notification until the window is in front."""
        self._allowed = allowed
        self._show_run = show_run
        self._running = ""
        self._subscriptions = Subscriptions()

    def follow(self, opened: OpenProject) -> None:
        """Report the runs of this project from now on, in place of those of the one before."""
        self._subscriptions.close()
        self._running = ""
        self._subscriptions.add(opened.running.live.watch(self._look))

    def close(self) -> None:
        """End the subscription and remove the notification."""
        self._subscriptions.close()
        self.messenger.close()

    def tell(self, words: str) -> None:
        """Send a notification with these words if the window is not in front and notifications are wanted."""
        if self._window.isActiveWindow():
            return
        QApplication.alert(self._window)
        if self._allowed():
            self.messenger.tell(QApplication.applicationDisplayName(), words)

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
    """How a run ended, in words: "The run has ended: 9 steps done, 1 needs you"."""
    done = trn("{count} step done", "{count} steps done", live.ledger.done)
    if not live.failed:
        return tr("The run has ended: {done}", done=done)
    bad = trn("{count} needs you", "{count} need you", len(live.failed))
    return tr("The run has ended: {done}, {failed}", done=done, failed=bad)

"""The line at the bottom: what the application is doing, and on the right what it works with."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QStatusBar, QWidget

from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.ui.kit.widgets.still import Still

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.desktop.choosing import Offer
    from app.desktop.open_project import OpenProject
    from app.ui.kit.context import Kit

LINE_HEIGHT = 22
_SIDE, _GAP, _ICON = 10, 16, 12


class StatusLine(QStatusBar):
    """Follows one open project; says "Opening…" before there is one."""

    def __init__(self) -> None:
        super().__init__()
        self._opened: OpenProject | None = None
        self._subscriptions = Subscriptions()
        self._work = ""
        self._sign = "wifi-slash"
        self.setSizeGripEnabled(False)
        self.setFixedHeight(LINE_HEIGHT)
        self.doing = ElidedLabel("Opening…", tone="t3", size="small")
        self._mark = PlainLabel()
        self.composer = PlainLabel("", tone="t3", size="small")
        self.sound = ElidedLabel("", tone="t3", size="small")
        self.saved = PlainLabel("", tone="t3", size="small")
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(_GAP)
        row.addWidget(self.doing, 1)
        row.addWidget(self._mark)
        row.setSpacing(_GAP // 2)
        for label in (self.composer, self.sound, self.saved):
            row.addWidget(label)
            row.addSpacing(_GAP // 2)
        self.addWidget(Still(line), 1)

    def follow(self, opened: OpenProject, kit: Kit) -> None:
        """Tell of another project."""
        self._subscriptions.close()
        self._opened = opened
        keep = self._subscriptions.add
        keep(opened.choosing.chosen.watch(self._show_planner))
        kit.theme.changed.connect(self._renew_mark)

        def forget_theme() -> None:
            kit.theme.changed.disconnect(self._renew_mark)

        keep(forget_theme)
        keep(opened.asking.doing.changed.listen(lambda _: self.refresh()))
        keep(opened.asking.countdown.changed.listen(lambda _: self.refresh()))
        keep(opened.asking.rows.changed.listen(lambda _: self.refresh()))
        keep(opened.running.live.changed.listen(lambda _: self.refresh()))
        keep(opened.running.unfinished.changed.listen(lambda _: self.refresh()))
        keep(opened.reviewing.proposal.changed.listen(lambda _: self.refresh()))
        keep(opened.focus.overlay.changed.listen(lambda _: self.refresh()))
        keep(opened.playback.state.changed.listen(lambda _: self.refresh()))
        keep(opened.versions.iterations.changed.listen(lambda _: self.refresh()))
        self.refresh()

    def work(self, words: str) -> None:
        """What the window itself is doing, such as an export; empty for nothing."""
        self._work = words
        self.refresh()

    def close_view(self) -> None:
        """Follow nothing."""
        self._subscriptions.close()
        self._opened = None

    def refresh(self) -> None:
        """Say what is so now."""
        opened = self._opened
        if opened is None:
            return
        words, agent = doing(opened, self._work)
        tone = "agent" if agent else "t3"
        if self.doing.property("tone") != tone:
            self.doing.setProperty("tone", tone)
            self.doing.style().unpolish(self.doing)
            self.doing.style().polish(self.doing)
        self.doing.setText(words)
        state = opened.playback.state.value
        sound = state.device_note or "No sound output" if state.silent else state.device or "Built-in sounds"
        self.sound.setText(sound)
        iterations = opened.versions.iterations.value
        self.saved.setText(f"Saved {_moment(iterations[0].created)}" if iterations else "Nothing to save yet")

    def _show_planner(self, offer: Offer) -> None:
        self.composer.setText(offer.said)
        self.composer.setToolTip("Plans on this computer" if offer.local else "Requests are sent to this model")
        self._sign = "wifi-slash" if offer.local else "plugs-connected"
        self._renew_mark()

    def _renew_mark(self) -> None:
        from app.ui.kit.icons import icon

        self._mark.setPixmap(icon(self._sign, "t3", _ICON).pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))


def doing(opened: OpenProject, work: str) -> tuple[str, bool]:
    """What is being done, and whether it is Bandleader's doing."""
    live, preparing = opened.running.live.value, opened.playback.state.value.preparing
    if live is not None and live.running:
        total, done = len(live.rows), live.ledger.done
        running = f"Running step {min(done + 1, total)} of {total}"
        if live.stopping or live.pausing:
            return f"{'Stopping' if live.stopping else 'Pausing'} after this step", True
        return running, True
    if opened.asking.countdown.value is not None:
        from app.desktop.money import countdown_words

        return countdown_words(opened.asking.countdown.value), True
    if opened.asking.doing.value:
        rows = opened.asking.rows.value
        return opened.asking.doing.value + (f", {rows} steps so far" if rows else ""), True
    if opened.running.paused:
        return "A run is paused and holds the song: go on with it, stop it, or roll it back in the plan", True
    if opened.running.unfinished.value is not None:
        return "A run was left in the middle: go on with it, end it, or roll it back in the plan", True
    if work:
        return work, False
    if opened.reviewing.proposal.value is not None and opened.focus.overlay.value:
        return "Plan overlay: dashed clips are proposals and are not in the song yet", True
    if preparing is not None:
        return f"Preparing sound, {int(preparing * 100)}%", False
    return "Ready", False


def _moment(created: str) -> str:
    """A stored moment (ISO 8601, UTC) as this place's time: "14:32", another day's as "14 Mar"."""
    try:
        moment = datetime.fromisoformat(created).astimezone()
    except ValueError:
        return ""
    today = moment.date() == datetime.now().astimezone().date()
    return moment.strftime("%H:%M") if today else f"{moment.day} {moment.strftime('%b')}"

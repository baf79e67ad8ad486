"""The line at the bottom: what the application is doing, and on the right what it works with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QStatusBar, QWidget

from app.i18n import tr, trn
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel, plain_tip
from app.ui.kit.widgets.still import Still

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.storage.records import Iteration
    from app.studio.writes import Writes
    from app.ui.kit.context import Kit
    from app.ui.kit.tasks import Coalesced
    from app.viewmodels.chat.choosing import PlannerOption
    from app.viewmodels.open_project import OpenProject


_LONGEST = 60


@dataclass(frozen=True)
class SaveState:
    """Whether changes are saved: `words` for the status bar, `why` for its tooltip; `refused` if the last change could
    not be stored."""

    words: str
    why: str = ""
    refused: bool = False


def saved_words(writes: Writes, iterations: Sequence[Iteration]) -> SaveState:
    """The state of the last change; `iterations` are those of the open project, newest first."""
    from app.viewmodels.texts.fixes import shown_fix
    from app.viewmodels.texts.moments import clock_time

    if writes.under_way:
        return SaveState(tr("Saving…"))
    if writes.refused is not None:
        error = writes.refused
        return SaveState(tr("Not saved: {reason}", reason=(error.why or error.what)[:_LONGEST]), " ".join(filter(None, (
            error.what, error.why and tr("Why: {reason}", reason=error.why),
            tr("What to do: {fix}", fix=shown_fix(error.fix)) if error.fix else "",
        ))), refused=True)
    if not iterations:
        return SaveState(tr("Nothing to save yet"))
    stored = "" if writes.done is None else writes.done.isoformat()
    return SaveState(tr("All changes saved {moment}", moment=clock_time(max(iterations[0].created, stored))))


LINE_HEIGHT = 22
_SIDE, _GAP, _ICON = 10, 16, 12
_SAVING_MS = 250
_SIGNS = {False: ("check-circle", "t3"), True: ("x-circle-fill", "bad")}


class StatusLine(QStatusBar):
    """The status bar; follows one open project and says "Opening…" before there is one."""

    def __init__(self) -> None:
        super().__init__()
        self._opened: OpenProject | None = None
        self._subscriptions = Subscriptions()
        self._work = ""
        self._sign = "wifi-slash"
        self.setSizeGripEnabled(False)
        self.setFixedHeight(LINE_HEIGHT)
        self.doing = ElidedLabel(tr("Opening…"), tone="t3", size="small")
        self._refusing = PlainLabel()
        self._mark = PlainLabel()
        self.composer = PlainLabel("", tone="t3", size="small")
        self.sound = ElidedLabel("", tone="t3", size="small")
        self._saved_mark = PlainLabel()
        self.saved = PlainLabel("", tone="t3", size="small")
        self._soon: Coalesced | None = None
        self._saved_look: tuple[str, str, float] | None = None
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(_GAP)
        row.addWidget(self._refusing)
        # Hidden only now: one that stands alone is a window of its own, which Qt dresses for it.
        self._refusing.hide()
        row.addWidget(self.doing, 1)
        row.addWidget(self._mark)
        row.setSpacing(_GAP // 2)
        for label in (self.composer, self.sound):
            row.addWidget(label)
            row.addSpacing(_GAP // 2)
        row.addWidget(self._saved_mark)
        row.addWidget(self.saved)
        self.addWidget(Still(line), 1)

    def follow(self, opened: OpenProject, kit: Kit) -> None:
        """Show the state of this project from now on, in place of the one before."""
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
        keep(opened.focus.refused.changed.listen(lambda _: self.refresh()))
        keep(opened.playback.state.changed.listen(lambda _: self.refresh()))
        keep(opened.versions.iterations.changed.listen(lambda _: self.refresh()))
        keep(opened.studio.store.writes.changed.listen(lambda _: self._written()))
        self.refresh()

    def _written(self) -> None:
        # What is stored at once needs no word.
        if self._soon is None:
            from app.ui.kit.tasks import Coalesced

            self._soon = Coalesced(_SAVING_MS, self._show_saved, self)
        self._soon.ask()

    def work(self, words: str) -> None:
        """Set the text for what the window itself is doing, such as an export; empty for nothing."""
        self._work = words
        self.refresh()

    def close_view(self) -> None:
        """End all subscriptions."""
        if self._soon is not None:
            self._soon.drop()
        self._subscriptions.close()
        self._opened = None

    def refresh(self) -> None:
        """Update all texts from the state of the project."""
        opened = self._opened
        if opened is None:
            return
        words, tone = doing(opened, self._work)
        self._tone(self.doing, tone)
        self.doing.setText(words)
        self._refusing.setVisible(bool(opened.focus.refused.value))
        state = opened.playback.state.value
        none, built_in = tr("No sound output"), tr("Built-in sounds")
        sound = state.device_note or none if state.silent else state.device or built_in
        small = opened.studio.renderer.bank_remark
        self.sound.setText(tr("{device}, small bank", device=sound) if small else sound)
        wanting = tr("Heard from a small bank of last resort: install the package musescore-general-soundfont-small")
        self.sound.setToolTip(plain_tip(wanting if small else ""))
        self._show_saved()

    def _show_saved(self) -> None:
        if self._opened is None:
            return
        found = saved_words(self._opened.studio.store.writes, self._opened.versions.iterations.value)
        self.saved.setText(found.words)
        self.saved.setToolTip(plain_tip(found.why or tr("Every change is stored at once; there is nothing to save")))
        self._tone(self.saved, "bad" if found.refused else "t3")
        self._mark_saved(*_SIGNS[found.refused])

    def _mark_saved(self, sign: str, token: str) -> None:
        from app.ui.kit.icons import icon

        # Asked at every event of a run, of which there may be thousands: drawn only where it is another.
        look = (sign, token, self.devicePixelRatioF())
        if look == self._saved_look:
            return
        self._saved_look = look
        self._saved_mark.setPixmap(icon(sign, token, _ICON).pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))

    def _show_planner(self, offer: PlannerOption) -> None:
        self.composer.setText(offer.words)
        self.composer.setToolTip(tr("Plans on this computer") if offer.local else tr("Requests are sent to this model"))
        self._sign = "wifi-slash" if offer.local else "plugs-connected"
        self._renew_mark()

    def _tone(self, label: QWidget, tone: str) -> None:
        if label.property("tone") != tone:
            label.setProperty("tone", tone)
            label.style().unpolish(label)
            label.style().polish(label)

    def _renew_mark(self) -> None:
        from app.ui.kit.icons import icon

        self._saved_look = None
        self._show_saved()
        self._refusing.setPixmap(icon("prohibit", "warn", _ICON).pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))
        self._mark.setPixmap(icon(self._sign, "t3", _ICON).pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))


def doing(opened: OpenProject, work: str) -> tuple[str, str]:
    """The text for what is being done, and its tone: "agent" for work of the planner or a run, "warn" for a refused
    drag or edit. `work` is the window's own work, empty for none."""
    if opened.focus.refused.value:
        return opened.focus.refused.value, "warn"
    live, preparing = opened.running.live.value, opened.playback.state.value.preparing
    if live is not None and live.running:
        if live.stopping or live.pausing:
            return tr("Stopping after this step") if live.stopping else tr("Pausing after this step"), "agent"
        total, done = len(live.rows), live.ledger.done
        return tr("Running step {number} of {total}", number=min(done + 1, total), total=total), "agent"
    if opened.asking.countdown.value is not None:
        from app.viewmodels.texts.money import countdown_words

        return countdown_words(opened.asking.countdown.value), "agent"
    if opened.asking.doing.value:
        said, rows = opened.asking.doing.value, opened.asking.rows.value
        if rows:
            said = trn("{doing}, {count} step so far", "{doing}, {count} steps so far", rows, doing=said)
        return said, "agent"
    if opened.running.paused:
        return tr("A run is paused and holds the song: go on with it, stop it, or roll it back in the plan"), "agent"
    if opened.running.unfinished.value is not None:
        return tr("A run was left in the middle: go on with it, end it, or roll it back in the plan"), "agent"
    if work:
        return work, "t3"
    if opened.reviewing.proposal.value is not None and opened.focus.overlay.value:
        return tr("Plan overlay: dashed clips are proposals and are not in the song yet"), "agent"
    if preparing is not None:
        return tr("Preparing sound, {percent}%", percent=int(preparing * 100)), "t3"
    return tr("Ready"), "t3"

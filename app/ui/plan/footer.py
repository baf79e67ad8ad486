"""The line under the table: what the plan comes to and its buttons, or the account of the run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QStackedWidget

from app.i18n import tr, trn
from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.style import draw_focus
from app.ui.plan.columns import lines_tip
from app.ui.plan.drawings import SIGNS, Look
from app.ui.plan.table_actions import PlanAction
from app.ui.plan.widgets import CutPlanLabel, PlanLabel, SignLabel, button
from app.ui.plan.yielding import Yielding, hidden, say, shortened
from app.viewmodels.chat.replying import approve_words
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.summary import LedgerEntry, PlanTotals

FOOTER_HEIGHT = 43
_REACH = 120
_RING = 4
_APPROVED = ("check-square-fill", "you")


class ActionBar(Yielding):
    """A line with buttons; signal `asked` carries the `PlanAction` of a pressed button."""

    asked = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(12, 0, 10, 0)
        self._line.setSpacing(8)

    def _button(
        self, action: PlanAction, text: str, icon: str = "", *, role: str = "", name: str = "", tip: str = "",
        key: str = "",
    ) -> QPushButton:
        """A button at the end of the line; with a `key` its tooltip tells the key of that action of the window."""
        # Filled icons are as dark as words.
        tone = "on_you" if role == "main" else "t1" if icon.endswith("-fill") else "t2"
        made = button(text, partial(self.asked.emit, action), role=role, tip=tip, name=name,
                      icon=self._look.icon(icon, tone) if icon else None)
        made.setCheckable(role == "toggle")
        if key:
            keyed_tip(made, key, tip)
        self._line.addWidget(made)
        return made


class ProposedFooter(ActionBar):
    """The footer of a plan under review: row counts, what leaves the song, and buttons."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._count = 0
        self._plan = False
        self._pointed = False
        self._steps = PlanLabel(look, bold=True)
        self._counts = PlanLabel(look, tone="t3")
        self._reach = CutPlanLabel(look, tone="t3")
        self._reach.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._reach.setMinimumWidth(_REACH)
        self._line.addWidget(self._steps)
        self._line.addWidget(self._counts)
        self._line.addSpacing(8)
        self._line.addWidget(self._reach, 1)
        self.discard_button = self._button("discard", tr("Discard plan"), "x", role="plain",
                                           tip=tr("Discard this plan; the song stays as it is"))
        self.again_button = self._button("afresh", tr("Ask again"), role="plain",
                                         name=tr("Ask again for the whole plan"),
                                         tip=tr("Have the same request planned anew"))
        self.hear_button = self._button("hear", tr("Hear the plan"), "ear",
                                        tip=tr("Play the song as the plan would make it, or stop (H)"))
        self.loop_button = self._button("loop", "", "repeat", role="toggle", name=tr("Loop what is compared"),
                                        tip=tr("Repeat the chosen bars, else what the selected steps change"))
        self.side_button = self._button("side", tr("A / B"), "swap", role="toggle", name=tr("Listen to A or B"),
                                        tip=tr("A is the song as it is, B what is proposed, both equally loud (B)"))
        self.run_button = self._button("run", tr("Approve and run"), "check", role="main")
        self.gives_way(
            hidden(self._counts), hidden(self.again_button),
            shortened(self.run_button, lambda: tr("Run {count}", count=self._count)), shortened(self.hear_button),
            shortened(self.discard_button), shortened(self.side_button, lambda: "B" if self._plan else "A"),
            hidden(self._reach), hidden(self._steps), shortened(self.run_button, lambda: f"{self._count}"),
        )

    def show_totals(self, totals: PlanTotals, refusal: str, errors: str, *, listening: bool) -> None:
        """Show the counts and costs of the plan. `refusal` says why it cannot be run now (empty: it can), `errors` what
        is wrong with it; `listening` tells that playback plays the plan (B), not the song (A)."""
        self._count = totals.approved
        self._steps.setText(trn("{count} step", "{count} steps", totals.steps))
        approved = trn("{count} approved", "{count} approved", totals.approved)
        self._counts.setText(f"·  {approved}  ·  {totals.cost}")
        self._reach.setText(errors or totals.reach)
        self._reach.colour("bad" if errors else "t3")
        self._reach.setToolTip(lines_tip([errors or totals.reach]))
        self.show_listening(plan=listening)
        self.run_button.setEnabled(not refusal)
        keys = "" if refusal else "plan.run"
        keyed_tip(self.run_button, keys, refusal or tr("Run exactly what is shown"))
        whole = approve_words(self._count)
        say(self.run_button, whole)
        self.run_button.setAccessibleName(whole)
        self.fit()

    def show_listening(self, *, plan: bool) -> None:
        """Show on the A/B button whether playback plays the plan (B) or the song (A)."""
        self._plan = plan
        self.side_button.setChecked(plan)
        say(self.side_button, tr("B: plan") if plan else tr("A: song"))
        self.side_button.setAccessibleName(
            tr("Listening to B, the plan; press for A") if plan else tr("Listening to A, the song; press for B")
        )

    def point(self, *, on: bool) -> None:
        """Ring the approve button, or remove the ring, after the person said yes in the chat: only the button
        approves."""
        self._pointed = on
        said = tr("Only this button applies the plan; words never do it") if on else ""
        self.run_button.setAccessibleDescription(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the ring at a distance from the approve button, as both are blue."""
        super().paintEvent(event)
        if self._pointed:
            with QPainter(self) as painter:
                area = QRectF(self.run_button.geometry()).adjusted(-_RING, -_RING, _RING, _RING)
                draw_focus(painter, area, self._look.theme.tokens, 2 * _RING)


class RunFooter(ActionBar):
    """The footer of a run: counts of its rows, and buttons to pause, stop or roll it back."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._entries: tuple[LedgerEntry, ...] = ()
        self._cells: list[tuple[SignLabel, PlanLabel]] = []
        self._line.addStretch()
        self.retry_button = self._button("retry", tr("Retry"), "arrow-clockwise", name=tr("Retry failed steps"),
                                         tip=tr("Run what failed and was not reached again"), key="plan.retry")
        self.roll_back_button = self._button("roll back", tr("Roll back all"), "arrow-counter-clockwise",
                                             name=tr("Roll back the run"),
                                             tip=tr("Restore the song from before the run as a new iteration"))
        self.stop_button = self._button("stop", tr("Stop"), "stop-fill", tip=tr("Stop; what is done stays"),
                                        key="plan.stop")
        self.pause_button = self._button("pause", tr("Pause"), "pause-fill", name=tr("Pause the run"),
                                         tip=tr("Rest after the steps under way; the run holds the song"),
                                         key="plan.pause")
        self.resume_button = self._button("pause", tr("Go on"), "play-fill", role="main", name=tr("Go on with the run"),
                                          tip=tr("Go on with the run"), key="plan.pause")
        self.gives_way(
            shortened(self.stop_button, lambda: tr("Stop")), shortened(self.roll_back_button), self._shorten,
            shortened(self.retry_button), shortened(self.pause_button), shortened(self.resume_button),
            shortened(self.stop_button),
        )

    def show_run(self, entries: Sequence[LedgerEntry], now: LiveRun, *, back: bool) -> None:
        """Show the counts of a run (`entries`) and the buttons that are possible now; `back` tells that its work was
        taken out of the song."""
        self._show(tuple(entries))
        done = next((entry.count for entry in entries if entry.word == "done"), 0)
        rests = now.running or now.paused
        say(self.stop_button, tr("Stopping") if now.stopping else tr("Stop, keep {count} done", count=done))
        self.stop_button.setVisible(rests)
        self.stop_button.setEnabled(not now.stopping)
        say(self.pause_button, tr("Pausing") if now.pausing else tr("Pause"))
        self.pause_button.setVisible(now.running)
        self.pause_button.setEnabled(not now.pausing and not now.stopping)
        self.resume_button.setVisible(now.paused)
        self.retry_button.setVisible(not rests and bool(now.failed) and not back)
        self.roll_back_button.setVisible(not now.running and not back)
        self.fit()

    def _shorten(self, less: bool) -> None:
        """The account in its signs and numbers alone."""
        for entry, (_, words) in zip(self._entries, self._cells, strict=False):
            said = f"{entry.count}" if less else f"{tr(entry.word)} {entry.count}   "
            if words.text() != said:
                words.setText(said)

    def _show(self, entries: tuple[LedgerEntry, ...]) -> None:
        if entries == self._entries:
            return
        self._entries = entries
        while len(self._cells) < len(entries):
            self._cells.append((SignLabel(self._look), PlanLabel(self._look)))
            for widget in self._cells[-1]:
                self._line.insertWidget(2 * len(self._cells) - (widget is self._cells[-1][0]) - 1, widget)
        for place, (sign, words) in enumerate(self._cells):
            sign.setVisible(place < len(entries))
            words.setVisible(place < len(entries))
        for entry, (sign, words) in zip(entries, self._cells, strict=False):
            sign.show_sign(*(_APPROVED if entry.word == "approved" else SIGNS[entry.mark]))
            for widget in (sign, words):
                widget.setToolTip(lines_tip([f"{tr(entry.word)} {entry.count}"]))
        self._shorten(False)
        self.setAccessibleName(" · ".join(f"{tr(entry.word)} {entry.count}" for entry in entries))


class Footer(QStackedWidget):
    """Shows either the footer of a plan under review or that of a run."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("plan-footer")
        self.setProperty("role", "bar")
        self.proposed = ProposedFooter(look)
        self.ran = RunFooter(look)
        self.addWidget(self.proposed)
        self.addWidget(self.ran)
        self.setFixedHeight(FOOTER_HEIGHT)

"""The chat of one open project."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from agent.plan.planning import ClarifyingChoice
from app.i18n import tr
from app.ui.chat.entry_list import EntryList
from app.ui.chat.find_bar import FindBar
from app.ui.chat.link_following import LinkFollowing
from app.ui.chat.picker import PlannerPicker
from app.ui.chat.plan_card import PlanCardView
from app.ui.chat.request_box import RequestBox
from app.ui.chat.slash_list import SlashDoing, SlashList
from app.ui.chat.status_line import ActivityLine, Foretelling
from app.ui.chat.words import can_stop, status, used_so_far
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.notice import sentence
from app.viewmodels.chat.attaching import RequestScope, chosen
from app.viewmodels.chat.choosing import COMPOSER, PlannerOption
from app.viewmodels.chat.entries import MessageEntry, PlanCard, ProblemEntry, Queued
from app.viewmodels.chat.slash import PlainRequest, Slash, SlashCommand, Unknown, read
from app.viewmodels.open_project import OpenProject
from app.viewmodels.texts.troubles import Trouble

SMALLEST_WIDTH = 280
_SETTLED_MS = 30
_WHOLE = RequestScope()


class ChatPanel(QWidget):
    """The chat of an open project: messages above, the request box below. `act` triggers an action of the window by its
    id and returns whether it was enabled. Close it with `close_view`."""

    plan_wanted = Signal(object)
    """Emitted with the id of a run whose plan is to be shown; None for the plan under review."""
    iteration_wanted = Signal(str)
    """Emitted with the id of an iteration to show in the history."""
    answered = Signal()
    """Emitted when the plan for a request from here has come and nothing is being typed, so that it may take the
    keyboard."""
    row_wanted = Signal(str, str)
    """Emitted with the id of a run (empty: the plan under review) and the id of a row to show."""
    settings_wanted = Signal(str)
    """Emitted with the page of the settings to open; empty for the first."""

    def __init__(self, opened: OpenProject, kit: Kit, act: Callable[[str], bool] = lambda _: False) -> None:
        super().__init__()
        self._opened, self._kit = opened, kit
        self.setObjectName("chat")
        self.setAccessibleName(tr("Chat"))
        self.setMinimumWidth(SMALLEST_WIDTH)
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.entries = EntryList(opened.conversation, kit, self._dress)
        self.status = ActivityLine(kit)
        self.box = RequestBox(kit, self._earlier, _refused)
        self.picker = PlannerPicker(kit, opened.choosing)
        self.finder = FindBar(opened.conversation)
        self.slashes = SlashList(self.box.text, kit, self)
        self.doing = SlashDoing(
            opened, kit, planner=self.picker.open_menu, find=self.finder.open_bar, attach=self.attach, act=act,
        )
        self.links = LinkFollowing(opened, self)
        self._selected = Coalesced(_SETTLED_MS, self._offer, self, kit.turns)
        self._foretelling = Foretelling(self.box, kit, opened.estimate)
        self._lay_out()
        self.entries.plan_wanted.connect(self.plan_wanted)
        self.entries.reopen_wanted.connect(self._reopen)
        self.entries.iteration_wanted.connect(self.iteration_wanted)
        self.entries.chosen.connect(self._choose)
        self.entries.link_wanted.connect(self.links.follow)
        self.entries.offer_wanted.connect(self._press)
        self.links.plan_wanted.connect(self.plan_wanted)
        self.links.row_wanted.connect(self.row_wanted)
        self.links.iteration_wanted.connect(self.iteration_wanted)
        self.entries.send_again.connect(self._send_again)
        self.entries.put_wanted.connect(self._put_anew)
        self.entries.edit_wanted.connect(self._edit_waiting)
        self.entries.back_wanted.connect(self._take_back)
        self.box.asked.connect(self._sent)
        self.box.text.left.connect(self._to_plan)
        self.box.text.textChanged.connect(lambda: opened.focus.unsent.set(bool(self.box.text.toPlainText().strip())))
        self.box.attached.changed.connect(self._selected.ask)
        self.slashes.taken.connect(self._take_slash)
        self.finder.shown.connect(self._found)
        self.finder.closed.connect(self.entries.setFocus)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.finder.open_bar)
        self.box.stopped.connect(self.stop)
        self.picker.settings_wanted.connect(self.settings_wanted)
        self.entries.offline_wanted.connect(self._ask_offline)
        self._subscriptions = Subscriptions()
        self._soon = Coalesced(0, self._dress_all, self, kit.turns)
        self._listen()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.finder)
        column.addWidget(self.entries, 1)
        column.addWidget(self.status)
        below = QVBoxLayout()
        below.setContentsMargins(6, 4, 6, 8)
        below.setSpacing(8)
        below.addWidget(self.box)
        below.addWidget(self.picker)
        column.addLayout(below)

    def _listen(self) -> None:
        opened = self._opened
        for watched in (
            opened.asking.doing, opened.asking.rows, opened.asking.waiting, opened.running.live,
            opened.running.unfinished, opened.asking.countdown, opened.asking.spent, opened.waiting.entries,
        ):
            self._subscriptions.add(watched.changed.listen(lambda _: self._tell()))
        self._subscriptions.add(opened.reviewing.proposal.changed.listen(lambda _: self._soon.ask()))
        self._subscriptions.add(opened.versions.iterations.changed.listen(lambda _: self._soon.ask()))
        self._subscriptions.add(opened.asking.refused.watch(self._refused))
        self._subscriptions.add(opened.choosing.chosen.watch(self._chosen))
        self._subscriptions.add(opened.replying.performing.wanted.listen(self.doing.act_by_id))
        self._subscriptions.add(opened.troubles.told.listen(self._trouble))
        for told in (
            opened.focus.clips.changed, opened.focus.track.changed, opened.focus.bars.changed,
            opened.workspace.changed,
        ):
            self._subscriptions.add(told.listen(lambda _: self._selected.ask()))
        self._subscriptions.add(self.entries.silence)
        self._tell()

    # --- what can be done here

    def ask(self, request: str, scope: RequestScope = _WHOLE) -> None:
        """Send a request; only what is in `scope` may change."""
        self.entries.to_end()
        self._kit.tasks.start(self._asked(self._opened.asking.ask(request, scope)), "chat")

    def attach(self) -> bool:
        """Attach the selection to the request in the box; returns whether there was one to attach."""
        self._offer()
        done = self.box.attached.attach()
        self._offer()
        self.focus_request()
        return done

    def put(self, request: str) -> None:
        """Put a text into the request box without sending it."""
        self.box.text.put(request)
        self.focus_request()

    def focus_request(self) -> None:
        """Give the request box the keyboard."""
        self.box.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def stop(self) -> None:
        """Stop the planner, queued requests and the run; finished steps stay."""
        self._opened.asking.stop()
        running = self._opened.running
        if running.busy:
            running.stop()

    def close_view(self) -> None:
        """End all subscriptions and timers."""
        self._subscriptions.close()
        self.entries.stop()
        self._selected.drop()
        self.finder.soon.drop()
        self.picker.subscriptions.close()
        self._soon.drop()
        self.status.timer.stop()
        self._foretelling.stop()

    # --- what is told

    def _sent(self, text: str) -> None:
        """What was written in the box: a request, or a command."""
        match read(text):
            case PlainRequest(words=words):
                scope = self.box.attached.scope
                self.box.attached.put(_WHOLE)
                self.ask(words, scope)
            case SlashCommand() as command:
                self._do(command)

    def _take_slash(self, slash: Slash, send: bool) -> None:
        if send:
            self.box.text.put("")
            self._do(SlashCommand(slash))
        else:
            self.box.text.put(f"/{slash.name} " if slash.takes else f"/{slash.name}")
            self.focus_request()

    def _do(self, command: SlashCommand) -> None:
        self.entries.to_end()
        self.doing.do(command)

    def _send_again(self, words: str, scope: object) -> None:
        assert isinstance(scope, RequestScope)
        self.ask(words, scope)

    def _put_anew(self, said: object) -> None:
        """An earlier request goes back into the box; what was said stays."""
        assert isinstance(said, MessageEntry)
        self.put(f"/{said.text}" if said.text.startswith("/") else said.text)
        self._attach_anew(said)

    def _attach_anew(self, said: MessageEntry | Queued) -> None:
        """What a request was bound to; what it was before a restart can only be named."""
        self.box.attached.put(said.scope)
        if said.attached and said.scope.whole:
            self.box.warn(tr("Attach again what it was bound to: {what}", what=", ".join(said.attached)))

    def _found(self, index: int | None) -> None:
        if index is None:
            self.entries.mark(None)
        else:
            self.entries.soon.now()
            self.entries.show_entry(index)

    def _offer(self) -> None:
        song = self._opened.workspace.song
        self.box.attached.offer(chosen(self._opened.focus, song), song)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the list of slash commands over the box."""
        super().resizeEvent(event)
        self.slashes.place()

    def _choose(self, index: int, choice: ClarifyingChoice) -> None:
        self._kit.tasks.start(self._asked(self._opened.asking.choose(index, choice)), "chat")

    def _press(self, index: int) -> None:
        self._kit.tasks.start(self._opened.replying.press(index), "chat")

    async def _asked(self, work: Coroutine[None, None, None]) -> None:
        """Let work end that may come to a plan, and tell of one that the person is waiting for."""
        before = self._opened.reviewing.proposal.value
        await work
        now = self._opened.reviewing.proposal.value
        if now is None or (before is not None and now.sources is before.sources):
            return
        here = QApplication.focusWidget()
        if here is not None and self.isAncestorOf(here) and not self.box.text.toPlainText():
            self.answered.emit()

    def _reopen(self, plan_hash: str) -> None:
        self._kit.tasks.start(self._reopened(plan_hash), "chat")

    async def _reopened(self, plan_hash: str) -> None:
        await self._opened.asking.approving.reopen(plan_hash)
        self.plan_wanted.emit(None)

    def _to_plan(self) -> None:
        """Ctrl+Enter with nothing written: the plan that is shown gets the keyboard, and nothing runs."""
        if self._opened.reviewing.proposal.value is not None or self._opened.running.live.value is not None:
            self.plan_wanted.emit(None)

    def _take_back(self, index: int) -> None:
        queued = self._opened.conversation.entries[index]
        if not isinstance(queued, Queued):
            return
        if queued.run is None:
            self._opened.asking.take_back(index)
        else:
            self._kit.tasks.start(self._opened.waiting.take_back(queued.run), "chat")

    def _edit_waiting(self, index: int) -> None:
        """A request that waits goes back into the box, before what is written there."""
        queued = self._opened.conversation.entries[index]
        if isinstance(queued, Queued):
            written = self.box.text.toPlainText().strip()
            self.put(f"{queued.text}\n{written}" if written else queued.text)
            self._attach_anew(queued)
            self._take_back(index)

    def _ask_offline(self, request: str, scope: object) -> None:
        """Send a request again, with the built-in composer from now on."""
        assert isinstance(scope, RequestScope)
        self.entries.to_end()
        self._kit.tasks.start(self._offline(request, scope), "chat")

    async def _offline(self, request: str, scope: RequestScope) -> None:
        await self._opened.choosing.choose(COMPOSER)
        await self._asked(self._opened.asking.ask(request, scope))

    def _chosen(self, offer: PlannerOption) -> None:
        self.box.tell_receiver(offer.server)
        self.box.tell_estimate("")
        self._foretelling.again()

    def _refused(self, trouble: Trouble | None) -> None:
        self.picker.button.warn("" if trouble is None else sentence(trouble.what).rstrip("."))

    def _trouble(self, trouble: Trouble) -> None:
        if trouble.place == "chat":
            self._opened.conversation.add(ProblemEntry(trouble))

    def _tell(self) -> None:
        asking, running = self._opened.asking, self._opened.running
        self.status.tell(status(asking, running, self._opened.waiting), used_so_far(asking))
        can = can_stop(asking, running)
        self.box.let_stop(can) if can else self.box.let_stop(False, tr("There is nothing to stop"))

    def _earlier(self) -> Sequence[str]:
        entries = self._opened.conversation.entries
        return [entry.text for entry in entries if isinstance(entry, MessageEntry) and entry.author == "you"]

    def _dress(self, view: PlanCardView, card: PlanCard) -> None:
        proposal = self._opened.reviewing.proposal.value
        approved = ""
        if proposal is not None and card.run is None and proposal.plan.hash == card.hash:
            approved = tr("{count} approved", count=len(proposal.approved))
        known = {one.id: one.number for one in self._opened.versions.iterations.value}
        number = known.get(card.iteration) if card.iteration is not None else None
        view.tell(approved, tr("Iteration {number}", number=number) if number else "")

    def _dress_all(self) -> None:
        proposal = self._opened.reviewing.proposal.value
        self.box.tell_draft(0 if proposal is None else self._opened.conversation.draft_of(proposal.plan.hash))
        self.entries.soon.now()
        for view, card in self.entries.built.cards():
            self._dress(view, card)


def _refused(text: str) -> str:
    """Why a text is not sent: it names a command that there is not; empty for one that is sent."""
    found = read(text)
    return found.why if isinstance(found, Unknown) else ""

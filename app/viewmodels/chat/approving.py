"""From an approval to its run, or the plan discarded or put aside; what was decided is told, and its card follows."""

from __future__ import annotations

from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.planning import Verdict
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.studio.observable import Observable
from app.studio.running.run_view import RunView
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import PlanCard, now
from app.viewmodels.chat.retold import ended_card
from app.viewmodels.chat.waiting import Waiting
from app.viewmodels.plan.decisions import verdicts
from app.viewmodels.plan.draft_store import DraftStore
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.plan.running import Running


class Approving:
    """Ends the review of a plan: by running, discarding or putting it aside. `waiting` is the project's queue, None
    without one."""

    def __init__(
        self, conversation: Conversation, reviewing: Reviewing, running: Running, draft_store: DraftStore,
        waiting: Waiting | None = None,
    ) -> None:
        self._conversation = conversation
        self._keeping = draft_store
        self._waiting = waiting
        self._reviewing = reviewing
        self._running = running
        self._reported: Proposal | None = None
        self._under_way: RunId | None = None
        self._shown: RunView | None = None
        self._silence = running.live.changed.listen(self._run_changed)
        self.verdicts: Observable[Verdict] = Observable()
        """What a person decided on rows, once they approve or discard the plan."""

    def close(self) -> None:
        """End the subscription."""
        self._silence()

    async def run(self, plan_hash: str) -> RunView:
        """Approve the plan shown under this hash and carry it out. If the run cannot begin, the plan stays under
        review."""
        proposal = self._reviewing.proposal.value
        plan, approval = self._reviewing.approve(plan_hash)
        assert proposal is not None
        if proposal.run is not None and self._waiting is not None:
            await self._waiting.approve(proposal.run, plan)
            work = self._running.carry_out_in_turn(proposal.run, proposal, plan)
        else:
            work = self._running.start(proposal, plan, approval)
        self._conversation.settle()
        self._report(proposal)
        self._reviewing.discard()
        try:
            return await work
        except BandleaderError:
            back = proposal.run is None and not self._begun(proposal)
            if back and self._reviewing.proposal.value is None:
                self._reviewing.proposal.set(proposal)
            raise

    def discard(self) -> None:
        """Discard the plan under review and mark its card."""
        proposal = self._reviewing.proposal.value
        if proposal is not None:
            self._let_go(proposal)
            self.mark_discarded(proposal)
        self._reviewing.discard()

    async def put_aside(self) -> None:
        """Put the plan under review aside for another one: it is stored with the decisions on it, and cannot be
        approved until a person opens it again."""
        proposal = self._reviewing.proposal.value
        if proposal is not None and await self._keeping.put_aside():
            self._let_go(proposal)
            self._mark(proposal.plan.hash, aside=True)

    async def leave(self) -> None:
        """Put the plan under review aside, as another song is opened or the conversation goes on about something else;
        a plan from the queue stays queued."""
        proposal = self._reviewing.proposal.value
        if proposal is not None and proposal.run is None:
            await self.put_aside()
            self._reviewing.discard()

    async def reopen(self, plan_hash: str) -> None:
        """Review a plan that was put aside again; the one under review is put aside instead. Raises `NotApproved` while
        a run holds the song and for a plan that is not stored any more, and errors of checking it against the current
        song."""
        if self._running.holds_song:
            fix = msg("open it when the run has ended")
            raise NotApproved(msg("the plan was not opened"), why=msg("a run holds the song"), fix=fix)
        await self.put_aside()
        judged = await self._keeping.take_back(plan_hash)
        if judged is None:
            raise NotApproved(msg("the plan is not kept any more"), fix=msg("send the request again"))
        self._running.clear()
        self._mark(plan_hash, aside=False, now=judged.plan.hash)

    def mark_discarded(self, proposal: Proposal) -> None:
        """Mark a plan's card as discarded."""
        self._conversation.card(
            lambda card: card.hash == proposal.plan.hash and not card.run, lambda card: replace(card, discarded=True)
        )

    def _mark(self, plan_hash: str, *, aside: bool, now: str = "") -> None:
        self._conversation.card(
            lambda card: card.hash == plan_hash and not card.run,
            lambda card: replace(card, aside=aside, hash=now or plan_hash),
        )

    def _let_go(self, proposal: Proposal) -> None:
        self._conversation.settle()
        self._report(proposal)
        if proposal.run is not None and self._waiting is not None:
            self._waiting.put_away(proposal.run)

    def _begun(self, proposal: Proposal) -> bool:
        live = self._running.live.value
        return live is not None and live.proposal is proposal

    def _run_changed(self, live: LiveRun | None) -> None:
        """A run brings its card up to date, and is told of at each of its ends."""
        view = None if live is None else live.view
        if live is not None and live.running:
            self._under_way = live.run
        elif live is not None and view is not None:
            self._conversation.card(lambda card: _is_of(card, live), lambda card: ended_card(card, view))
            gone_on = self._under_way == live.run or _gone_on(self._shown, view)
            self._shown = view
            if gone_on and view.state.ended and view.answer is not None:
                self._under_way = None
                self._conversation.tell_end(view, now(), None if live.proposal is None else live.proposal.plan)

    def _report(self, proposal: Proposal) -> None:
        """Tell what the person decided on the rows of a plan; once, also where its run could not begin."""
        if proposal is not self._reported:
            self._reported = proposal
            for one in verdicts(proposal):
                self.verdicts.emit(one)


def _is_of(card: PlanCard, live: LiveRun) -> bool:
    """Whether a card tells of a run, or of the plan that it came of."""
    if card.run is not None:
        return card.run == live.run
    if card.proposed == live.run:
        return True
    return live.proposal is not None and card.hash == live.proposal.plan.hash


def _gone_on(before: RunView | None, view: RunView) -> bool:
    """Whether a run has come to another end than the one that was shown of it, without being seen under way."""
    return before is not None and before.record.id == view.record.id and before.record.answer != view.record.answer

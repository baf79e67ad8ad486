"""From a request in the chat to a plan under review, and from an approval to its run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from agent.errors import BandleaderError
from agent.plan.planning import Choice, PlannerEvent, Question, StepProposed, Thinking
from agent.review.review import Review
from agent.session.session import refuse_errors
from app.desktop.conversation import Asked, Conversation, PlanCard, Problem, Words, Work, now, shortened
from app.desktop.reviewing import Reviewing
from app.desktop.running import Running
from app.desktop.troubles import Trouble
from app.desktop.watched import Watched
from app.studio.naming import project_name
from app.studio.planning import Planning
from app.studio.projects import Projects
from app.studio.run_view import RunView
from app.studio.workspace import Workspace


class Asking:
    """One request is planned at a time; a second one waits for its turn."""

    def __init__(
        self, planning: Planning, projects: Projects, workspace: Workspace, conversation: Conversation,
        reviewing: Reviewing, running: Running,
    ) -> None:
        self._planning = planning
        self._projects = projects
        self._workspace = workspace
        self._conversation = conversation
        self._reviewing = reviewing
        self._running = running
        self._turn = asyncio.Lock()
        self._work: asyncio.Task[Review | Question] | None = None
        self.doing = Watched("")
        """What is being done for a request, in words; empty when nothing is."""
        self.rows = Watched(0)
        """How many rows the plan that is being written has so far."""
        self.waiting: Watched[tuple[str, ...]] = Watched(())
        """Requests that wait for the one before them."""

    async def ask(self, request: str) -> None:
        """Plan a request; what comes of it is in the conversation and, as a plan, under review."""
        if not request.strip():
            return
        if self._workspace.draft:
            await self._workspace.keep((await self._projects.draft(project_name(request))).name)
        await self._conversation.say("you", request)
        self.waiting.set((*self.waiting.value, request))
        async with self._turn:
            await self._until(lambda: not self._running.busy)
            self.waiting.set(self.waiting.value[1:])
            await self._plan(request)

    async def choose(self, index: int, choice: Choice) -> None:
        """Answer a question of the conversation."""
        asked = self._conversation.entries[index]
        if not isinstance(asked, Asked) or asked.answered:
            return
        self._conversation.put(index, Asked(asked.question, choice.label))
        async with self._turn:
            await self._plan(choice.request)

    def stop(self) -> None:
        """Stop planning; the request stays in the conversation. Takes effect at once."""
        if self._work is not None:
            self._work.cancel()

    async def run(self, plan_hash: str) -> RunView:
        """Approve the plan that is shown under this hash, and carry it out."""
        proposal = self._reviewing.proposal.value
        plan, approval = self._reviewing.approve(plan_hash)
        assert proposal is not None
        before = proposal.plan.hash
        work = self._running.start(proposal, plan, approval)
        self._reviewing.discard()
        view = await work
        self._conversation.card(
            before, run=view.record.id, iteration=view.record.iteration, outcome=_outcome(view), steps=len(plan.steps)
        )
        if view.answer is not None:
            self._conversation.tell("bandleader", view.answer.text)
        return view

    def discard(self) -> None:
        """Take the plan away; the conversation says so."""
        proposal = self._reviewing.proposal.value
        if proposal is not None:
            self._conversation.card(proposal.plan.hash, discarded=True)
        self._reviewing.discard()

    async def _plan(self, request: str) -> None:
        stage = await self._planning.stage(self._workspace.record)
        self.doing.set("Planning")
        self.rows.set(0)
        silence = self._planning.events.listen(self._hear)
        try:
            self._work = asyncio.ensure_future(self._planning.propose(request, stage))
            found = await self._work
            if isinstance(found, Question):
                self._conversation.add(Asked(found))
                return
            await self._show(found)
        except asyncio.CancelledError:
            if self._work is None or not self._work.cancelled():
                raise
            self._conversation.add(Words("bandleader", "Stopped. Your request is kept above.", now()))
        except BandleaderError as error:
            self._conversation.add(Problem(Trouble("chat", error.what, error.why, error.fix)))
        finally:
            silence()
            self._work = None
            self.doing.set("")

    async def _show(self, judged: Review) -> None:
        plan = judged.plan
        self._conversation.add(Work("Wrote a plan", f"{len(plan.steps)} steps"))
        said = [part for part in (plan.musical_reasoning,) if part]
        if said:
            await self._conversation.say("bandleader", "\n\n".join(said))
        self._conversation.add(
            PlanCard(shortened(plan.request), len(plan.steps), plan.hash, plan.understood, plan.ignored)
        )
        self._running.clear()
        self._reviewing.show(judged)
        with suppress(BandleaderError):
            refuse_errors(judged)

    def _hear(self, event: PlannerEvent) -> None:
        match event:
            case Thinking(text=text):
                self._conversation.add(Work("Understood", text))
            case StepProposed():
                self.rows.set(self.rows.value + 1)
            case _:
                pass

    async def _until(self, done: Callable[[], bool]) -> None:
        while not done():
            await asyncio.sleep(0.1)


def _outcome(view: RunView) -> str:
    ledger = view.ledger
    if ledger.done == ledger.approved:
        return f"All {ledger.done} steps done"
    return f"{ledger.done} of {ledger.approved} steps done"

"""A judged plan goes up for review, with its card in the conversation."""

from __future__ import annotations

from agent.review.review import Review
from agent.song.changes import compare
from agent.song.ids import RunId
from app.desktop.review.reviewing import Reviewing
from app.desktop.run.running import Running
from app.desktop.talk.conversation import Conversation
from app.desktop.talk.entries import PlanCard, Work
from app.desktop.talk.retold import shortened
from app.studio.workspace import Workspace
from app.words import tr, trn


class Showing:
    """Puts plans up, whoever had them made; `run` is the run of the queue that proposes the plan."""

    def __init__(
        self, workspace: Workspace, conversation: Conversation, reviewing: Reviewing, running: Running
    ) -> None:
        self._workspace = workspace
        self._conversation = conversation
        self._reviewing = reviewing
        self._running = running

    def tell_written(self, judged: Review) -> None:
        """Say that a plan was written."""
        count = len(judged.plan.steps)
        self._conversation.add(Work(tr("Wrote a plan"), trn("{count} step", "{count} steps", count)))

    def add_card(self, judged: Review, run: RunId | None = None) -> None:
        """Lay the plan's card into the conversation."""
        plan = judged.plan
        tracks = 0 if judged.preview is None else len(compare(self._workspace.song, judged.preview.song).tracks)
        self._conversation.add(PlanCard(
            shortened(plan.request), len(plan.steps), plan.hash, plan.understood, plan.ignored, tracks, proposed=run
        ))

    async def put_up(self, judged: Review, run: RunId | None = None) -> None:
        """Put the plan under review in the place of a run that was shown, with its card."""
        self.add_card(judged, run)
        self._running.clear()
        await self._reviewing.put_up(judged, run)

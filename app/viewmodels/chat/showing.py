"""A judged plan goes up for review, with its card in the conversation."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from agent.plan.document import Plan
from agent.review.review import Review
from agent.song.changes import compare
from agent.song.ids import RunId
from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song
from app.i18n import tr, trn
from app.studio.workspace import Workspace
from app.viewmodels.chat.clauses import clause_lines
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import PlanCard, WorkEntry
from app.viewmodels.chat.retold import shortened
from app.viewmodels.chat.telling import key_found
from app.viewmodels.plan.decisions import left_unticked
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.plan.running import Running


class PlanPublisher:
    """Puts checked plans under review and adds their cards to the conversation."""

    def __init__(
        self, workspace: Workspace, conversation: Conversation, reviewing: Reviewing, running: Running
    ) -> None:
        self._workspace = workspace
        self._conversation = conversation
        self._reviewing = reviewing
        self._running = running

    async def tell_read(self, song: Song, palette: Palette | None) -> None:
        """Add a line about the song that was read, with the key found in its notes if it states none."""
        if not song.note_count:
            return
        self._conversation.add(WorkEntry(
            trn("Read {count} track", "Read {count} tracks", len(song.tracks)),
            trn("{number} note", "{number} notes", song.note_count, number=f"{song.note_count:,}"),
        ))
        if palette is not None and song.key == Key("C"):
            key = await asyncio.to_thread(key_found, song, palette)
            if key is not None:
                self._conversation.add(WorkEntry(tr("Found key {key}", key=key[0]), key[1]))

    def tell_written(self, judged: Review) -> None:
        """Add a line that a plan was written."""
        count = len(judged.plan.steps)
        self._conversation.add(WorkEntry(tr("Wrote a plan"), trn("{count} step", "{count} steps", count)))

    def add_card(self, judged: Review, run: RunId | None = None) -> None:
        """Add the plan's card to the conversation; `run` is the queued run that waits for approval of this plan."""
        tracks = 0 if judged.preview is None else len(compare(self._workspace.song, judged.preview.song).tracks)
        self._conversation.add(replace(_card(judged.plan), tracks=tracks, proposed=run))

    def add_aside(self, plan: Plan) -> None:
        """Add the card of a plan that was put aside earlier."""
        self._conversation.add(replace(_card(plan), aside=True))

    async def put_up(self, judged: Review, run: RunId | None = None) -> None:
        """Put the plan under review and add its card to the conversation; a run that was shown is shown no more. `run`
        is the queued run that waits for approval of this plan, None for a plan that was not queued."""
        self.add_card(judged, run)
        self._running.clear()
        unticked = left_unticked(judged)
        if unticked:
            self._conversation.add(WorkEntry(
                trn("Left {count} step unticked that takes something away",
                    "Left {count} steps unticked that take something away", len(unticked)),
                tr("not all was understood"),
            ))
        await self._reviewing.take_up(judged, {}, unticked, run)


def _card(plan: Plan) -> PlanCard:
    return PlanCard(
        shortened(plan.request.partition("\n")[0]), len(plan.steps), plan.hash, plan.understood, plan.ignored,
        clauses=clause_lines(plan),
    )

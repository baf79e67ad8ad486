"""From a request in the chat to a plan under review, and from an approval to its run."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.plan.planning import Choice, PlannerEvent, Question, StepProposed, Thinking
from agent.review.review import Review
from agent.review.secrets import holds_secret
from agent.song.changes import compare
from agent.song.palette import Palette
from agent.song.song import Song
from app.desktop.conversation import Asked, Conversation, PlanCard, Problem, Words, Work, ended_card, now, shortened
from app.desktop.figures import counted
from app.desktop.reviewing import Proposal, Reviewing
from app.desktop.running import LiveRun, Running
from app.desktop.telling import key_found, plan_words, run_words
from app.desktop.troubles import Trouble
from app.desktop.watched import Watched
from app.studio.naming import project_name
from app.studio.planning import MAX_REQUEST, Planning
from app.studio.projects import Projects
from app.studio.run_view import RunView
from app.studio.workspace import Workspace

_LOOK_EVERY = 0.1


class Asking:
    """One request is planned at a time; a second one waits for its turn, and all wait while a run holds the song."""

    def __init__(
        self, planning: Planning, projects: Projects, workspace: Workspace, conversation: Conversation,
        reviewing: Reviewing, running: Running, palette: Palette | None = None,
    ) -> None:
        self._planning = planning
        self._projects = projects
        self._workspace = workspace
        self._conversation = conversation
        self._reviewing = reviewing
        self._running = running
        self._palette = palette
        self._turn = asyncio.Lock()
        self._naming = asyncio.Lock()
        self._work: asyncio.Task[tuple[Review | Question, str]] | None = None
        self._stops = 0
        self._silence = running.live.changed.listen(self._run_changed)
        self.doing = Watched("")
        """What is being done for a request, in words; empty when nothing is."""
        self.rows = Watched(0)
        """How many rows the plan that is being written has so far."""
        self.waiting: Watched[tuple[str, ...]] = Watched(())
        """Requests that wait for the one before them, or for a run."""

    @property
    def busy(self) -> bool:
        """Whether a request is being planned."""
        return self._work is not None

    async def ask(self, request: str) -> None:
        """Plan a request; what comes of it is in the conversation and, as a plan, under review."""
        request = request.encode("utf-8", "replace").decode()
        if not request.strip():
            return
        refusal = _refused(request)
        if refusal is not None:
            self._conversation.add(Problem(refusal))
            return
        async with self._naming:
            if self._workspace.draft:
                await self._workspace.keep((await self._projects.draft(project_name(request))).name)
            await self._conversation.say("you", request)
        await self._take_turn(request)

    async def choose(self, index: int, choice: Choice) -> None:
        """Answer a question of the conversation; a second answer to the same one does nothing."""
        asked = self._conversation.entries[index]
        if not isinstance(asked, Asked) or asked.answered:
            return
        self._conversation.put(index, Asked(asked.question, choice.label))
        await self._conversation.say("you", choice.label)
        await self._take_turn(choice.request)

    def stop(self) -> None:
        """Stop planning and let nothing wait; the requests stay in the conversation. Takes effect at once."""
        self._stops += 1
        self.waiting.set(())
        if self._work is not None:
            self._work.cancel()

    def close(self) -> None:
        """Stop, and listen to no run any more."""
        self.stop()
        self._silence()

    async def run(self, plan_hash: str) -> RunView:
        """Approve the plan that is shown under this hash, and carry it out.

        A run that could not begin leaves the plan under review.
        """
        proposal = self._reviewing.proposal.value
        plan, approval = self._reviewing.approve(plan_hash)
        assert proposal is not None
        work = self._running.start(proposal, plan, approval)
        self._reviewing.discard()
        try:
            view = await work
        except BandleaderError:
            if not self._begun(proposal) and self._reviewing.proposal.value is None:
                self._reviewing.proposal.set(proposal)
            raise
        self._conversation.card(
            lambda card: card.hash == proposal.plan.hash and not card.run, lambda card: ended_card(card, view)
        )
        if view.answer is not None:
            self._conversation.tell("bandleader", run_words(view, proposal.plan))
        return view

    def discard(self) -> None:
        """Take the plan away; the conversation says so."""
        proposal = self._reviewing.proposal.value
        if proposal is not None:
            self._put_away(proposal)
        self._reviewing.discard()

    def _put_away(self, proposal: Proposal) -> None:
        self._conversation.card(
            lambda card: card.hash == proposal.plan.hash and not card.run, lambda card: replace(card, discarded=True)
        )

    def _begun(self, proposal: Proposal) -> bool:
        live = self._running.live.value
        return live is not None and live.proposal is proposal

    def _run_changed(self, live: LiveRun | None) -> None:
        """A run that was mended or rolled back brings its card up to date."""
        if live is not None and live.view is not None:
            view = live.view
            self._conversation.card(lambda card: card.run == view.record.id, lambda card: ended_card(card, view))

    async def _take_turn(self, request: str) -> None:
        """Plan when everything before is done, unless a stop comes first."""
        stops, waits = self._stops, self._held or self._turn.locked()
        if waits:
            self.waiting.set((*self.waiting.value, request))
        async with self._turn:
            while self._held and stops == self._stops:
                await asyncio.sleep(_LOOK_EVERY)
            if stops != self._stops:
                self._say_stopped()
                return
            if waits:
                self.waiting.set(self.waiting.value[1:])
            await self._plan(request)

    @property
    def _held(self) -> bool:
        """Whether a run holds the song; what is planned now would be planned on a song that changes."""
        return self._running.busy or self._running.unfinished.value is not None

    async def _plan(self, request: str) -> None:
        task = asyncio.current_task()
        self.rows.set(0)
        self.doing.set("Planning")
        silence = self._planning.events.listen(self._hear)
        self._work = asyncio.ensure_future(self._propose(request))
        try:
            found, words = await self._work
            if isinstance(found, Question):
                self._conversation.add(Asked(found))
                await self._conversation.keep("bandleader", found.text)
            else:
                await self._show(found, words)
        except asyncio.CancelledError:
            # Cancelled from outside, the window closes; else the person stopped the work.
            if task is not None and task.cancelling():
                raise
            self._say_stopped()
        except BandleaderError as error:
            self._conversation.add(Problem(Trouble("chat", error.what, error.why, error.fix), request))
        finally:
            silence()
            self._work = None
            self.doing.set("")

    async def _propose(self, request: str) -> tuple[Review | Question, str]:
        stage = await self._planning.stage(self._workspace.record)
        await self._read_song(stage.song)
        found = await self._planning.propose(request, stage)
        if isinstance(found, Question):
            return found, ""
        return found, await asyncio.to_thread(plan_words, found, stage.song)

    async def _read_song(self, song: Song) -> None:
        if not song.note_count:
            return
        self._conversation.add(Work(f"Read {counted(len(song.tracks), 'track')}", counted(song.note_count, "note")))
        if self._palette is not None:
            key = await asyncio.to_thread(key_found, song, self._palette)
            if key is not None:
                self._conversation.add(Work(f"Found key {key[0]}", key[1]))

    async def _show(self, judged: Review, words: str) -> None:
        plan = judged.plan
        self._conversation.add(Work("Wrote a plan", counted(len(plan.steps), "step")))
        await self._conversation.say("bandleader", words)
        before = self._reviewing.proposal.value
        if before is not None:
            self._put_away(before)
        tracks = 0 if judged.preview is None else len(compare(self._workspace.song, judged.preview.song).tracks)
        self._conversation.add(
            PlanCard(shortened(plan.request), len(plan.steps), plan.hash, plan.understood, plan.ignored, tracks)
        )
        self._running.clear()
        self._reviewing.show(judged)

    def _say_stopped(self) -> None:
        said = "Stopped. Nothing was changed, and your request is kept above."
        self._conversation.add(Words("bandleader", said, now()))

    def _hear(self, event: PlannerEvent) -> None:
        match event:
            case Thinking():
                self.doing.set("Writing the plan")
            case StepProposed():
                self.rows.set(self.rows.value + 1)
            case _:
                pass


def _refused(request: str) -> Trouble | None:
    """Why a request is not even kept in the conversation."""
    if len(request) > MAX_REQUEST:
        return Trouble(
            "chat", f"the request has {len(request):,} characters", f"at most {MAX_REQUEST:,} are read",
            "say it in fewer words",
        )
    if holds_secret(request):
        return Trouble(
            "chat", "the request was not sent", "its words hold a password, token or key, and would be stored",
            "say it without the secret, and replace that secret where it is used",
        )
    return None

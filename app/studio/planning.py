"""From words, or a plan written by hand, to a judged plan. Nothing here can change a song."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from agent.chat.messages import Refinement, Refusal
from agent.fixes import FixKind
from agent.message import msg
from agent.plan.document import Estimate, Plan
from agent.plan.errors import PlanError
from agent.plan.in_thread import in_thread
from agent.plan.planning import Brief, ClarifyingQuestion, ConversationLine, Planner, PlannerEvent, Revision, SoundFonts
from agent.plan.request import RequestText, parse_request
from agent.review.review import Review
from agent.services.registry import Registry
from agent.session.session import Session
from agent.song.fence import Fence
from agent.song.locks import Lock, parse_lock, standing
from agent.song.palette import Palette
from agent.song.revision import ContentHash, song_revision
from agent.song.song import Song
from app.services.own_fonts import fonts_there
from app.sound.soundfont import own_folder
from app.storage import locks as stored_locks
from app.storage import messages
from app.storage.records import PlanningId, Project
from app.studio.integrations.connected import Connected
from app.studio.models import Chosen
from app.studio.observable import Observable
from app.studio.planners import Planners
from app.studio.store import Store
from app.studio.verdicts import Verdicts

MAX_SEED = 2**63 - 1
"""The largest seed that the database can store."""
_SAID = 40
"""Lines of the conversation that are in a planner's prompt."""


class PlanningContext(Struct, frozen=True):
    """A project with the song that a plan will run on, and that song's revision."""

    project: Project
    song: Song
    revision: ContentHash


class Planning:
    """Plans requests. `events` emits the planner's thinking and its rows, `checked` the share (0 to 1) of a long plan
    that has been checked."""

    def __init__(
        self, store: Store, session: Session, registry: Registry, palette: Palette, planners: Planners,
        verdicts: Verdicts, connected: Connected,
    ) -> None:
        self._store = store
        self._session = session
        self._registry = registry
        self._palette = palette
        self._planners = planners
        self._verdicts = verdicts
        self._connected = connected
        self._steering: list[str] | None = None
        self.events: Observable[PlannerEvent] = Observable()
        self.checked: Observable[float] = Observable()

    async def stage(self, project: Project) -> PlanningContext:
        """The project's working song (empty for a draft) as context for planning; also updates the registry of
        tools."""
        await self._connected.follow()
        if project.working is None:
            empty = Song(name=project.name)
            return PlanningContext(project, empty, song_revision(empty))
        return PlanningContext(project, await self._store.song(project.working), project.working)

    async def propose(
        self, request: str, stage: PlanningContext, *, locks: Sequence[str] = (), seed: int | None = None,
        chosen: Chosen | None = None, revision: Revision | None = None, fresh: bool = False, intensity: float = 1.0,
        fence: Fence | None = None,
    ) -> Review | ClarifyingQuestion:
        """Plan a request with the planner `chosen`, or that of the settings; returns the checked plan, or for an
        unclear request a question.

        `locks` are a person's words (`bars:9-16`, `clip:NAME`, a track's name or id), in addition to the project's own.
        Without `seed` one is drawn. `revision` asks for some rows of a plan again, `fresh` ignores a cached answer to
        the same request. `intensity`, 0 to 1, is how far a change of the song may go; only what is in `fence` may
        change. Raises `PlanError`."""
        words = parse_request(request)
        check_seed(seed)
        given = [parse_lock(text, stage.song) for text in locks]
        brief = replace(
            await self._brief(words, stage, given), seed=_seed(seed, revision), revision=revision, fresh=fresh,
            intensity=intensity, fence=fence,
        )
        choice = await self._planners.choice(chosen)
        brief = await self._planners.committed(brief, choice)
        planning = PlanningId(secrets.token_hex(8))
        async with self._planners.planner(choice, stage.project.id, planning) as planner:
            judged = await self._propose(brief, stage, planner, choice)
        if isinstance(judged, Review) and judged.plan.used.tokens:
            judged = replace(judged, plan=replace(judged.plan, planning=planning))
        return judged

    async def refine(
        self, plan: Plan, message: Refinement | Refusal, stage: PlanningContext, *, fence: Fence | None = None
    ) -> Review | ClarifyingQuestion:
        """The composer's change of a plan as a message about it asks, whoever made the plan; a question if it is
        unclear.

        Rows that the words do not concern stay, and with a `fence` everything outside of it. A plan that is disliked as
        a whole is planned anew with another seed. Raises `PlanError` if the words change nothing, or contradict the
        song."""
        words = wish_of(message, stage.song)
        if not words:
            return await self.propose(plan.request, stage, fresh=True, fence=plan.fence)
        wish = parse_request(words)
        before = await self.judge(plan, stage.song)
        if before.preview is None:
            raise PlanError(
                msg("the plan cannot be changed in words"), why=msg("it has errors"),
                fix=msg("leave such rows out first"),
            )
        brief = await self._brief(wish, stage, standing(plan.locks, stage.song))
        brief = replace(brief, seed=plan.seed, fence=fence)
        refined = await self._planners.composer.refine(brief, before.plan, before.preview)
        return refined if isinstance(refined, ClarifyingQuestion) else await self.judge(refined, stage.song)

    async def speaks_of(self, request: str, stage: PlanningContext) -> bool:
        """Whether a request clearly asks for a change of this context's song rather than for a new piece."""
        brief = await self._brief(parse_request(request), stage)
        return stage.song.note_count > 0 and await self._planners.speaks_of_its_song(brief)

    async def is_understood(self, request: RequestText, stage: PlanningContext, chosen: Chosen) -> bool:
        """Whether the `chosen` planner can make anything of a request; for a model always True, without asking it."""
        return await self._planners.understands(await self._brief(request, stage), chosen)

    async def estimate(self, request: str, stage: PlanningContext, chosen: Chosen | None = None) -> Estimate | None:
        """What planning a request will use of the model, before anything is sent; None for the composer. Raises
        `PlanError` if the request does not fit into the model's context window."""
        return await self._planners.estimate(await self._brief(parse_request(request), stage), stage.revision, chosen)

    async def _brief(self, request: RequestText, stage: PlanningContext, locks: Sequence[Lock] = ()) -> Brief:
        """What a planner is told of a request; the project's own locks come first, as far as the song has them."""
        stored = await self._store.read(lambda connection: stored_locks.all_of(connection, stage.project.id))
        # A track or clip that was deleted by hand, or is not in the version that was restored, bars no plan.
        kept = standing(stored, stage.song)
        fonts = SoundFonts(str(own_folder()), await asyncio.to_thread(fonts_there))
        return Brief(
            request, stage.song, self._palette, tuple(self._registry.tools.values()), 0, _distinct((*kept, *locks)),
            await self._said(stage.project, request), await self._verdicts.recent(stage.project.id), soundfonts=fonts,
        )

    def steer(self, words: str) -> bool:
        """Pass words to the planning under way; returns whether its planner will read them."""
        if self._steering is None:
            return False
        self._steering.append(words)
        return True

    async def _propose(
        self, brief: Brief, stage: PlanningContext, planner: Planner, chosen: Chosen
    ) -> Review | ClarifyingQuestion:
        heard: list[str] = []

        def steering() -> tuple[str, ...]:
            words = tuple(heard)
            heard.clear()
            return words

        if planner.steers and self._steering is None:
            self._steering, brief = heard, replace(brief, steering=steering)
        try:
            judged = await self._session.propose(
                brief, stage.project.id, stage.revision, self.events.emit, planner, self.checked.emit
            )
            if isinstance(judged, ClarifyingQuestion):
                return judged
            told = replace(judged.plan, clauses=await self._planners.clauses(judged, brief, chosen))
            return await self._priced(replace(judged, plan=told), brief.song)
        finally:
            if self._steering is heard:
                self._steering = None

    async def _said(self, project: Project, request: str) -> tuple[ConversationLine, ...]:
        """The conversation before the request, which may be stored already."""
        lines = await self._store.read(lambda connection: messages.all_of(connection, project.id, _SAID))
        said = [ConversationLine("you" if line.role == "user" else "bandleader", line.text) for line in lines]
        return tuple(said[:-1] if said and said[-1] == ConversationLine("you", request) else said)

    async def judge(self, plan: Plan, song: Song) -> Review:
        """Check, hash and preview a plan against `song`. When cancelled it stops within a second."""
        work = partial(self._session.judge, plan, song)
        return await self._priced(await in_thread(work, self.checked.emit), song)

    async def _priced(self, judged: Review, song: Song) -> Review:
        """With what its rows may use of the model that would work on them."""
        if not judged.plan.estimate.tokens:
            return judged
        return replace(judged, plan=replace(judged.plan, estimate=await self._planners.running(judged.plan, song)))

    def adopt(self, plan: Plan, stage: PlanningContext) -> Plan:
        """A plan from a file, with project and revision filled in if it names none."""
        return replace(
            plan,
            project=plan.project or stage.project.id,
            song_revision=plan.song_revision or stage.revision,
            provider=plan.provider or "file",
        )


def wish_of(message: Refinement | Refusal, song: Song) -> str:
    """What a message asks of a plan, as a request; empty if it only dislikes the whole."""
    if isinstance(message, Refinement):
        return message.words
    disliked = [track.name for track in song.tracks if track.id in message.about.tracks]
    return message.wish or ", ".join(f"a different {name}" for name in disliked)


def check_seed(seed: int | None) -> None:
    """Raise `PlanError` for a seed that cannot be stored; None is allowed."""
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise PlanError(
            msg("the seed {seed} is out of range", seed=seed),
            why=msg("seeds go from 0 to {max_seed}", max_seed=MAX_SEED), fix=FixKind.CHOOSE_SEED(),
        )


def _seed(given: int | None, revision: Revision | None) -> int:
    """The given seed, that of the plan whose rows are asked for again, or one that is drawn."""
    if given is not None:
        return given
    return secrets.randbelow(2**32) if revision is None else revision.plan.seed


def _distinct(locks: Sequence[Lock]) -> tuple[Lock, ...]:
    return tuple(dict.fromkeys(locks))

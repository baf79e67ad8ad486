"""From words, or a plan written by hand, to a judged plan. Nothing here can change a song."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.planning import Brief, PlannerEvent, Question, Revision
from agent.review.review import Review
from agent.services.registry import Registry
from agent.session.session import Session
from agent.song.locks import Lock, parse_lock
from agent.song.palette import Palette
from agent.song.revision import ContentHash, song_revision
from agent.song.song import Song
from app.storage import locks as stored_locks
from app.storage.records import Project
from app.studio.observable import Observable
from app.studio.store import Store

MAX_REQUEST = 20_000
MAX_SEED = 2**63 - 1
"""The largest number that the database keeps."""


class Stage(Struct, frozen=True):
    """A project with the song that a plan will run on."""

    project: Project
    song: Song
    revision: ContentHash


class Planning:
    """Plans requests. `events` streams the planner's thinking and its rows."""

    def __init__(self, store: Store, session: Session, registry: Registry, palette: Palette) -> None:
        self._store = store
        self._session = session
        self._registry = registry
        self._palette = palette
        self.events: Observable[PlannerEvent] = Observable()

    async def stage(self, project: Project) -> Stage:
        """The project's working song; an empty one for a project that is only a draft."""
        if project.working is None:
            empty = Song(name=project.name)
            return Stage(project, empty, song_revision(empty))
        return Stage(project, await self._store.song(project.working), project.working)

    async def propose(
        self, request: str, stage: Stage, *, locks: Sequence[str] = (), seed: int | None = None,
        take_first: bool = False, revision: Revision | None = None, fresh: bool = False,
    ) -> Review | Question:
        """Plan a request on a stage.

        `locks` are words of a person (`bars:9-16`, a track's name or id), added to the project's own. Without
        `seed` one is drawn. With `take_first` an unclear request takes its question's first choice, and the
        plan says so in `understood`. `revision` asks for rows of a plan again, and `fresh` passes by what was
        answered to the same request before.
        """
        if len(request) > MAX_REQUEST:
            raise PlanError(
                f"the request has {len(request):,} characters", why=f"at most {MAX_REQUEST:,} are read",
                fix="say it in fewer words",
            )
        if request.encode("utf-8", "replace").decode() != request:
            raise PlanError("the request is no text", why="it holds bytes that are not UTF-8", fix="type it again")
        if seed is not None and not 0 <= seed <= MAX_SEED:
            raise PlanError(f"the seed {seed} is out of range", why=f"seeds go from 0 to {MAX_SEED}", fix="--seed 1")
        kept = await self._store.read(lambda connection: stored_locks.all_of(connection, stage.project.id))
        drawn = secrets.randbelow(2**32) if seed is None else seed
        tools = tuple(self._registry.tools.values())
        wanted = _distinct((*kept, *(parse_lock(text, stage.song) for text in locks)))
        brief = Brief(request, stage.song, self._palette, tools, drawn, wanted, revision=revision, fresh=fresh)
        judged = await self._propose(brief, stage)
        if isinstance(judged, Question) and take_first:
            choice = judged.choices[0]
            judged = await self._propose(replace(brief, request=choice.request), stage)
            if isinstance(judged, Question):
                return judged
            said = f"the request was unclear, so the first choice was taken: {choice.label}"
            plan = replace(judged.plan, request=request, understood=(said, *judged.plan.understood))
            judged = replace(judged, plan=plan)
        return judged

    def steer(self, words: str) -> bool:  # noqa: ARG002 - the composer is done before anybody can steer it
        """Give words to the planning that is under way; whether it will hear them."""
        return False

    async def _propose(self, brief: Brief, stage: Stage) -> Review | Question:
        return await self._session.propose(brief, stage.project.id, stage.revision, self.events.emit)

    async def judge(self, plan: Plan, song: Song) -> Review:
        """Check, hash and preview a plan again on the song as it is now."""
        return await asyncio.to_thread(self._session.judge, plan, song)

    def adopt(self, plan: Plan, stage: Stage) -> Plan:
        """A plan written by hand, with project and revision filled in where it names none."""
        return replace(
            plan,
            project=plan.project or stage.project.id,
            song_revision=plan.song_revision or stage.revision,
            provider=plan.provider or "file",
        )


def _distinct(locks: Sequence[Lock]) -> tuple[Lock, ...]:
    return tuple(dict.fromkeys(locks))

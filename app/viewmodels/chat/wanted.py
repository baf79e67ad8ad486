"""A request that waits to be planned, what plans it, and why some are not even kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from agent.chat.messages import Refinement, Refusal
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.planning import ClarifyingQuestion, PlannerEvent, Revision
from agent.plan.request import parse_request
from agent.review.review import Review
from agent.song.fence import Fence
from agent.song.locks import Lock
from agent.song.song import Song
from app.storage.records import Project
from app.studio.models import LOCAL
from app.studio.observable import Observable
from app.studio.planning import PlanningContext, wish_of
from app.viewmodels.chat.attaching import RequestScope, bound
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.texts.troubles import Trouble, trouble_of


class RequestPlanner(Protocol):
    """Turns requests into checked plans. `events` emits what is done while a plan is written."""

    events: Observable[PlannerEvent]

    async def stage(self, project: Project) -> PlanningContext:
        """The song that a plan is made for and will run on, with what a planner must know about it."""
        ...

    async def propose(
        self, request: str, stage: PlanningContext, *, revision: Revision | None = None, fresh: bool = False,
        locks: Sequence[str] = (), fence: Fence | None = None,
    ) -> Review | ClarifyingQuestion:
        """A plan for the request, or with `revision` the plan with some rows proposed anew; a question if the request
        is unclear. `fresh` ignores cached answers; nothing under `locks`, and only what is in `fence` (None: the whole
        song), may change."""
        ...

    async def refine(
        self, plan: Plan, message: Refinement | Refusal, stage: PlanningContext, *, fence: Fence | None = None
    ) -> Review | ClarifyingQuestion:
        """The plan changed as a message about it asks; rows that the message does not concern stay. Only what is in
        `fence` (None: the whole song) may change."""
        ...

    def steer(self, words: str) -> bool:
        """Pass words to the planning under way; returns whether its planner will read them."""
        ...


class Remark(Struct, frozen=True):
    """A message about the plan under review that changes it; `plan` is the whole plan, with the person's changes and
    the hash under which it is shown."""

    plan: Plan
    message: Refinement | Refusal


class Wanted(Struct, frozen=True):
    """A request as it is planned, and as the person `said` it. `planned` is the part of `said` that became the request,
    empty for all of it. `revision` asks for rows of a plan again; `asked` are their numbers there; `fresh` ignores
    cached answers. Only what is in `scope`, or in `fence`, may change, and nothing under `locks`, which are added to
    the project's own. With a `remark` the plan that it is about is changed instead."""

    request: str
    said: str
    planned: str = ""
    fresh: bool = False
    revision: Revision | None = None
    asked: tuple[int, ...] = ()
    scope: RequestScope = RequestScope()
    locks: tuple[Lock, ...] = ()
    fence: Fence | None = None
    remark: Remark | None = None


def remarked(proposal: Proposal, message: Refinement | Refusal, said: str, scope: RequestScope, song: Song) -> Wanted:
    """What is to be planned for a message about the plan under review; `said` is the message in the person's words.

    The composer changes its own plans row by row. A model's plan is planned anew by the model, which understands the
    words better; so is a composer's plan if it is disliked as a whole."""
    plan = proposal.plan
    words = wish_of(message, song)
    if plan.provider != LOCAL or not words:
        return _anew(plan, message, said, scope)
    whole = replace(proposal.whole.plan, hash=plan.hash)
    about = Remark(whole, Refinement(bound(words, scope)))
    return Wanted(plan.request, said, words, fresh=True, scope=scope, locks=plan.locks, remark=about)


def _anew(plan: Plan, message: Refinement | Refusal, said: str, scope: RequestScope) -> Wanted:
    """The request of a plan, and the words after it."""
    words = message.wish if isinstance(message, Refusal) else message.words
    request = f"{plan.request.rstrip().rstrip('.')}. {words}" if words else plan.request
    return Wanted(
        bound(request, scope), said, words, fresh=True, scope=scope, locks=plan.locks,
        fence=plan.fence if scope.whole else None,
    )


def refused(words: str) -> Trouble | None:
    """Why words cannot be a request, so that they are not even added to the conversation; None if they can, or if
    there are none."""
    try:
        if words:
            parse_request(words)
    except PlanError as error:
        return trouble_of(error, "chat")
    return None

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
from app.desktop.plan.proposal import Proposal
from app.desktop.talk.attaching import RequestScope, bound
from app.desktop.texts.troubles import Trouble, trouble_of
from app.storage.records import Project
from app.studio.models import LOCAL
from app.studio.observable import Observable
from app.studio.planning import PlanningContext, wish_of


class RequestPlanner(Protocol):
    """What turns requests into judged plans. `events` tells what is done while a plan is written."""

    events: Observable[PlannerEvent]

    async def stage(self, project: Project) -> PlanningContext:
        """The song that a plan will run on."""
        ...

    async def propose(
        self, request: str, stage: PlanningContext, *, revision: Revision | None = None, fresh: bool = False,
        locks: Sequence[str] = (), fence: Fence | None = None,
    ) -> Review | ClarifyingQuestion:
        """A plan for the request, or a plan some of whose rows are proposed anew."""
        ...

    async def refine(
        self, plan: Plan, message: Refinement | Refusal, stage: PlanningContext, *, fence: Fence | None = None
    ) -> Review | ClarifyingQuestion:
        """A plan changed as a message about it says; rows that it does not touch stay as they are."""
        ...

    def steer(self, words: str) -> bool:
        """Give words to the planning that is under way; whether it will hear them."""
        ...


class Remark(Struct, frozen=True):
    """Words about a plan under review, which is changed by them; `plan` is all of it, with the person's changes and
    the hash under which it is shown."""

    plan: Plan
    message: Refinement | Refusal


class Wanted(Struct, frozen=True):
    """A request as it is planned, and as the person `said` it.

    `planned` are the words of `said` that came to the request, if not all did.

    `revision` asks for rows of a plan again; `asked` are their numbers there. Only what is in `scope` may change, or
    inside of `fence`, and nothing under one of the `locks`, which are added to the project's own.

    A `remark` changes the plan that it is about, instead of asking for one.
    """

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
    """What a person wants who says something of the plan under review.

    The composer changes its own plans, row by row. A model that wrote one reads the words better than it: it is
    asked again, as the composer is for another plan altogether.
    """
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
    """Why words are not even kept in the conversation."""
    try:
        parse_request(words)
    except PlanError as error:
        return trouble_of(error, "chat")
    return None

"""What stands in the conversation of a project."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.chat.answer import Link
from agent.plan.plan import Clause
from agent.plan.planning import ClarifyingQuestion
from agent.session.run_report import RunReport
from agent.song.ids import IterationId, RunId
from app.desktop.talk.attaching import RequestScope
from app.desktop.talk.offers import Offer
from app.desktop.talk.refined import Refined
from app.desktop.texts.troubles import Trouble

Author = Literal["you", "bandleader"]


class MessageEntry(Struct, frozen=True):
    """Something said. Bandleader's words are Markdown, a person's are plain text; `growing` while they arrive."""

    author: Author
    text: str
    at: str = ""
    """ISO 8601, UTC."""
    growing: bool = False
    note: str = ""
    """What became of it in two or three words, for example that it was taken into account."""
    attached: tuple[str, ...] = ()
    """What the request was bound to, in words."""
    scope: RequestScope = RequestScope()
    """The same, while the window lives."""
    details: str = ""
    """More about it, as Markdown, for whoever wants to see it."""
    links: tuple[Link, ...] = ()
    """What an answer points at."""
    offer: Offer | None = None
    """What one click does; it is gone once it was pressed."""
    clauses: tuple[Clause, ...] = ()
    """What became of the stretches of a request: characters of `text`."""


class WorkEntry(Struct, frozen=True):
    """A line of work that was done while planning, for example "Read 8 tracks", and its result."""

    what: str
    result: str = ""


class ClauseLine(Struct, frozen=True):
    """A stretch of a request with the numbers of the rows that serve it; a reason where it was not done."""

    clause: Clause
    rows: tuple[int, ...] = ()


class PlanCard(Struct, frozen=True):
    """A plan in the conversation; `run` and `iteration` are there once it was approved and has ended."""

    title: str
    steps: int
    hash: str
    understood: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    tracks: int = 0
    """How many tracks it would add, change or remove."""
    run: RunId | None = None
    iteration: IterationId | None = None
    outcome: str = ""
    """Of an ended run: "14 of 14 steps"."""
    whole: bool = False
    """Whether every approved step is done."""
    discarded: bool = False
    aside: bool = False
    """Whether the plan was put aside: nothing approves it until a person opens it again."""
    clauses: tuple[ClauseLine, ...] = ()
    """What became of each stretch of the request."""
    proposed: RunId | None = None
    """The run of the queue that waits for an approval of it."""


class Asked(Struct, frozen=True):
    """A question with choices; `answered` is the label of the one that was taken."""

    question: ClarifyingQuestion
    answered: str = ""
    scope: RequestScope = RequestScope()
    about: str = ""
    """The hash of the plan that it is about; empty where it is about the song."""


class ProblemEntry(Struct, frozen=True):
    """What went wrong, in the conversation; `request` is what can be sent again, empty for none.

    `offline` tells that the built-in composer could plan it instead.
    """

    trouble: Trouble
    request: str = ""
    offline: bool = False
    scope: RequestScope = RequestScope()


class ReportEntry(Struct, frozen=True):
    """What a run found out; all words in it are foreign."""

    report: RunReport


class Queued(Struct, frozen=True):
    """A request that waits for its turn; `note` says for what. It can be taken back until it has a plan.

    Without a `run` it waits in this window only, for the request before it.
    """

    run: RunId | None
    text: str
    at: str
    note: str
    attached: tuple[str, ...] = ()
    scope: RequestScope = RequestScope()
    """As in `MessageEntry`."""

    def ended(self, note: str = "") -> MessageEntry:
        """The same request once it waits no more."""
        return MessageEntry("you", self.text, self.at, note=note, attached=self.attached, scope=self.scope)


Entry: TypeAlias = MessageEntry | WorkEntry | PlanCard | Refined | Asked | ProblemEntry | ReportEntry | Queued


class EntryChange(Struct, frozen=True):
    """Entry number `index` is new or another; -1: all of them are."""

    index: int
    added: bool = False


def now() -> str:
    """This moment as entries carry it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

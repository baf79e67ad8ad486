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
from app.viewmodels.chat.attaching import RequestScope
from app.viewmodels.chat.offers import Offer
from app.viewmodels.chat.refined import Refined
from app.viewmodels.texts.troubles import Trouble

Author = Literal["you", "bandleader"]


class MessageEntry(Struct, frozen=True):
    """A message of the person (plain text) or of Bandleader (Markdown); `growing` while it is streamed."""

    author: Author
    text: str
    at: str = ""
    """ISO 8601, UTC."""
    growing: bool = False
    note: str = ""
    """What became of the request in two or three words; empty for nothing."""
    attached: tuple[str, ...] = ()
    """What the request was bound to, in words."""
    scope: RequestScope = RequestScope()
    """What the request was bound to; not stored."""
    details: str = ""
    """More about the message, as Markdown, shown on demand."""
    links: tuple[Link, ...] = ()
    """What an answer refers to."""
    offer: Offer | None = None
    """What a click on its button does; None if there is no button, or it was pressed."""
    clauses: tuple[Clause, ...] = ()
    """Outcomes of the clauses of a request, at characters of `text`."""


class WorkEntry(Struct, frozen=True):
    """Something done while planning, for example "Read 8 tracks", and its result."""

    what: str
    result: str = ""


class ClauseLine(Struct, frozen=True):
    """A clause of a request with the numbers of the plan rows that serve it."""

    clause: Clause
    rows: tuple[int, ...] = ()


class PlanCard(Struct, frozen=True):
    """A plan in the conversation; `steps` is its number of rows, `understood` and `ignored` are parts of the request.
    `run` is set once it was approved, `iteration` once its run has made one."""

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
    """How its run ended: "14 of 14 steps"; empty before."""
    whole: bool = False
    """Whether every approved step is done."""
    discarded: bool = False
    aside: bool = False
    """Whether the plan was put aside: it cannot be approved until a person opens it again."""
    clauses: tuple[ClauseLine, ...] = ()
    """The outcome of each clause of the request."""
    proposed: RunId | None = None
    """The queued run that waits for approval of the plan; None for none."""


class Asked(Struct, frozen=True):
    """A question with choices; `answered` is the label of the chosen one, empty before."""

    question: ClarifyingQuestion
    answered: str = ""
    scope: RequestScope = RequestScope()
    about: str = ""
    """The hash of the plan that the question is about; empty if it is about the song."""


class ProblemEntry(Struct, frozen=True):
    """An error; `request` can be sent again, empty for none. `offline`: the built-in composer could plan it instead."""

    trouble: Trouble
    request: str = ""
    offline: bool = False
    scope: RequestScope = RequestScope()


class ReportEntry(Struct, frozen=True):
    """The report of a run; its texts come from services."""

    report: RunReport


class Queued(Struct, frozen=True):
    """A request that waits; `note` says for what, `at` is ISO 8601, UTC. It can be taken back until it has a plan.
    Without a `run` it waits only in this window, for the request before it."""

    run: RunId | None
    text: str
    at: str
    note: str
    attached: tuple[str, ...] = ()
    scope: RequestScope = RequestScope()
    """What the request was bound to; not stored."""

    def ended(self, note: str = "") -> MessageEntry:
        """The same request as a message, once it does not wait any more; `note` says what became of it."""
        return MessageEntry("you", self.text, self.at, note=note, attached=self.attached, scope=self.scope)


Entry: TypeAlias = MessageEntry | WorkEntry | PlanCard | Refined | Asked | ProblemEntry | ReportEntry | Queued


class EntryChange(Struct, frozen=True):
    """Tells that the entry at `index` was `added` or has changed; -1: all entries."""

    index: int
    added: bool = False


def now() -> str:
    """The current time as entries store it: ISO 8601, UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

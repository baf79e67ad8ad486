"""The conversation of a project: what was said, what was proposed, what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.plan.document import Plan
from agent.plan.planning import Question
from agent.session.run_report import RunReport
from agent.session.run_state import RunState
from agent.song.ids import IterationId, ProjectId, RunId
from agent.song.song import Song
from app.desktop.talk.attaching import Scope, stored, told
from app.desktop.talk.telling import outcome, run_details, run_words
from app.desktop.texts.troubles import Trouble
from app.storage import messages, runs
from app.storage.database import Transaction
from app.storage.records import Message
from app.studio.naming import in_brief
from app.studio.observable import Observable
from app.studio.running.run_view import RunView, load_run
from app.studio.store import Store

Author = Literal["you", "bandleader"]
_MOST_RUNS = 200
_MOST_SAID = 10_000


class Words(Struct, frozen=True):
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
    scope: Scope = Scope()
    """The same, while the window lives."""
    details: str = ""
    """More about it, as Markdown, for whoever wants to see it."""


class Work(Struct, frozen=True):
    """A line of work that was done while planning, for example "Read 8 tracks", and its result."""

    what: str
    result: str = ""


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
    proposed: RunId | None = None
    """The run of the queue that waits for an approval of it."""


class Asked(Struct, frozen=True):
    """A question with choices; `answered` is the label of the one that was taken."""

    question: Question
    answered: str = ""
    scope: Scope = Scope()


class Problem(Struct, frozen=True):
    """What went wrong, in the conversation; `request` is what can be sent again, empty for none.

    `offline` tells that the built-in composer could plan it instead.
    """

    trouble: Trouble
    request: str = ""
    offline: bool = False
    scope: Scope = Scope()


class Report(Struct, frozen=True):
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
    scope: Scope = Scope()
    """As in `Words`."""

    def ended(self, note: str = "") -> Words:
        """The same request once it waits no more."""
        return Words("you", self.text, self.at, note=note, attached=self.attached, scope=self.scope)


Entry: TypeAlias = Words | Work | PlanCard | Asked | Problem | Report | Queued


class EntryChange(Struct, frozen=True):
    """Entry number `index` is new or another; -1: all of them are."""

    index: int
    added: bool = False


class Conversation:
    """Entries, oldest first. What was said is stored; work lines and problems live as long as the window."""

    def __init__(self, store: Store, project: ProjectId) -> None:
        self._store = store
        self._project = project
        self.entries: list[Entry] = []
        self.changed: Observable[EntryChange] = Observable()

    async def load(self) -> None:
        """The stored conversation of the project."""
        self.entries = _entries(*await self._store.read(self._read))
        self.changed.emit(EntryChange(-1))

    def _read(self, transaction: Transaction) -> tuple[tuple[Message, ...], dict[RunId, RunView]]:
        known: dict[RunId, RunView] = {}
        for run in runs.all_of(transaction, self._project, _MOST_RUNS):
            # A damaged plan must not hide what was said.
            with suppress(BandleaderError):
                known[run.id] = load_run(transaction, run.id)
        return messages.all_of(transaction, self._project, _MOST_SAID), known

    def add(self, entry: Entry) -> int:
        """Add an entry that is not stored; returns its index."""
        self.entries.append(entry)
        self.changed.emit(EntryChange(len(self.entries) - 1, added=True))
        return len(self.entries) - 1

    def put(self, index: int, entry: Entry) -> None:
        """Replace an entry, for example by one with more words."""
        self.entries[index] = entry
        self.changed.emit(EntryChange(index))

    async def say(self, author: Author, text: str) -> int:
        """Add words and store them."""
        index = self.add(Words(author, text, now()))
        await self.keep(author, text)
        return index

    async def ask(self, request: str, scope: Scope, song: Song) -> int:
        """Add a person's request and store it, with what was attached to it."""
        text = stored(request, scope, song)
        index = self.add(Words("you", request, now(), attached=told(text)[1], scope=scope))
        await self.keep("you", text)
        return index

    async def keep(self, author: Author, text: str) -> None:
        """Store words that are shown in another form, so that they are there after a restart."""
        role: Literal["user", "assistant"] = "user" if author == "you" else "assistant"
        await self._store.write(lambda transaction: messages.append(transaction, Message(self._project, role, text)))

    def tell(self, author: Author, text: str) -> None:
        """Add words that are stored already."""
        self.add(Words(author, text, now()))

    def card(self, which: Callable[[PlanCard], bool], news: Callable[[PlanCard], PlanCard]) -> bool:
        """Bring the newest plan card of a kind up to date; tells whether there is one."""
        for index in reversed(range(len(self.entries))):
            entry = self.entries[index]
            if isinstance(entry, PlanCard) and which(entry):
                if news(entry) != entry:
                    self.put(index, news(entry))
                return True
        return False


def ended_card(card: PlanCard, view: RunView) -> PlanCard:
    """A card of a plan whose run has ended; how many tracks is said only of a plan that ran as it was proposed."""
    steps = len(view.plan.steps)
    return replace(
        card, run=view.record.id, iteration=view.record.iteration, outcome=outcome(view),
        whole=view.ledger.done == view.ledger.approved, steps=steps, tracks=card.tracks if steps == card.steps else 0,
    )


def run_entries(view: RunView, at: str, shown: Plan | None = None) -> list[Entry]:
    """What is told at the end of a run: words, and the report of what it found out."""
    report = None if view.answer is None else view.answer.report
    words: list[Entry] = [
        Words("bandleader", run_words(view, shown), at, details=run_details(view, shown))
    ]
    return words if report is None else [*words, Report(report)]


def shortened(request: str) -> str:
    """A request in one short line."""
    return in_brief(request, 60)


def now() -> str:
    """This moment as entries carry it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _said(message: Message) -> Words:
    if message.role != "user":
        return Words("bandleader", message.text, message.created)
    text, attached = told(message.text)
    return Words("you", text, message.created, attached=attached)


def _entries(said: Sequence[Message], ended: Mapping[RunId, RunView]) -> list[Entry]:
    entries: list[Entry] = []
    last = {message.run: message.id for message in said if message.role == "assistant" and message.run in ended}
    for message in said:
        view = ended.get(message.run) if message.run is not None and message.role == "assistant" else None
        waits = ended.get(message.run) if message.run is not None and message.role == "user" else None
        if waits is not None and waits.state is RunState.DRAFT:
            text, attached = told(message.text)
            entries.append(Queued(waits.record.id, text, message.created, "", attached))
        elif view is None:
            entries.append(_said(message))
        elif last[view.record.id] == message.id:
            # A run that was mended has a word for each of its ends; the card and the last word tell them all.
            plan = view.plan
            card = PlanCard(shortened(view.record.request), len(plan.steps), plan.hash, plan.understood, plan.ignored)
            entries.append(ended_card(card, view))
            entries += run_entries(view, message.created)
    return entries

"""The conversation of a project: what was said, what was proposed, what became of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.planning import Question
from agent.song.ids import IterationId, ProjectId, RunId
from app.desktop.troubles import Trouble
from app.storage import messages, runs
from app.storage.database import Transaction
from app.storage.records import Message
from app.studio.observable import Observable
from app.studio.store import Store

Author = Literal["you", "bandleader"]


class Words(Struct, frozen=True):
    """Something said. Bandleader's words are Markdown, a person's are plain text; `growing` while they arrive."""

    author: Author
    text: str
    at: str = ""
    """ISO 8601, UTC."""
    growing: bool = False


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
    run: RunId | None = None
    iteration: IterationId | None = None
    outcome: str = ""
    """Of an ended run: "All 14 steps done", else how many."""
    discarded: bool = False


class Asked(Struct, frozen=True):
    """A question with choices; `answered` is the label of the one that was taken."""

    question: Question
    answered: str = ""


class Problem(Struct, frozen=True):
    """What went wrong, in the conversation."""

    trouble: Trouble


Entry: TypeAlias = Words | Work | PlanCard | Asked | Problem


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
        stored, ended = await self._store.read(self._read)
        self.entries = []
        for message in stored:
            author: Author = "you" if message.role == "user" else "bandleader"
            if author == "bandleader" and message.run is not None and message.run in ended:
                self.entries.append(ended[message.run])
            self.entries.append(Words(author, message.text, message.created))
        self.changed.emit(EntryChange(-1))

    def _read(self, transaction: Transaction) -> tuple[tuple[Message, ...], dict[RunId, PlanCard]]:
        cards = {
            run.id: PlanCard(shortened(run.request), len(runs.steps(transaction, run.id)), "", run=run.id,
                             iteration=run.iteration, outcome=run.state.lower().replace("_", " "))
            for run in runs.all_of(transaction, self._project)
        }
        return messages.all_of(transaction, self._project), cards

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
        role: Literal["user", "assistant"] = "user" if author == "you" else "assistant"
        await self._store.write(lambda transaction: messages.append(transaction, Message(self._project, role, text)))
        return index

    def tell(self, author: Author, text: str) -> None:
        """Add words that are stored already."""
        self.add(Words(author, text, now()))

    def card(self, plan_hash: str, **news: object) -> None:
        """Bring the newest plan card of that hash up to date."""
        for index in reversed(range(len(self.entries))):
            entry = self.entries[index]
            if isinstance(entry, PlanCard) and entry.hash == plan_hash:
                self.put(index, replace(entry, **news))
                return


def shortened(request: str) -> str:
    """A request in one short line."""
    words = " ".join(request.split())
    return words if len(words) <= 60 else f"{words[:59]}…"


def now() -> str:
    """This moment as entries carry it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

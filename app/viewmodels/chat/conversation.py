"""The conversation of a project: what was said, what was proposed, what became of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from msgspec.structs import replace

from agent.plan.document import Plan
from agent.plan.plan import Clause
from agent.song.ids import ProjectId, RunId
from agent.song.song import Song
from app.storage import message_clauses, messages, runs
from app.storage.database import Transaction
from app.storage.records import ChatMessage, MessageId
from app.studio.observable import Observable
from app.studio.running.run_view import RunView
from app.studio.store import Store
from app.viewmodels.chat.attaching import RequestScope, stored, told
from app.viewmodels.chat.entries import Author, Entry, EntryChange, MessageEntry, PlanCard, Queued, now
from app.viewmodels.chat.refined import Refined
from app.viewmodels.chat.retold import ClausesSaid, Known, card_of, ended_card, known_runs, retold, run_entries

_MOST_RUNS = 200
_MOST_SAID = 10_000
_NOTHING = MessageId(0)


class Conversation:
    """The entries of a project's conversation, oldest first. Messages are stored; lines of work and problems are
    not."""

    def __init__(self, store: Store, project: ProjectId) -> None:
        self._store = store
        self._project = project
        self.entries: list[Entry] = []
        self.changed: Observable[EntryChange] = Observable()
        self._last = _NOTHING
        self._ends: dict[RunId, int] = {}
        self._stored: dict[int, MessageId] = {}
        """The messages of the requests that were said here, by the numbers of their entries."""

    async def load(self) -> None:
        """Load the stored conversation of the project."""
        said, known, clauses = await self._store.read(self._read)
        self._last = said[-1].id if said else _NOTHING
        self._ends = {run: _end_of(view) for run, view in known.items() if view.state.ended}
        self.entries = retold(said, known, clauses)
        self._stored = {}
        self.changed.emit(EntryChange(-1))

    async def follow(self) -> None:
        """Add what other programs have stored since the last look."""
        said, known = await self._store.read(self._read_news)
        for message in said:
            self._last = message.id
            view = known.get(message.run) if message.run is not None else None
            if view is not None and view.planned and message.role == "assistant":
                self.tell_end(view, message.created, with_card=True)
            elif view is None or view.planned or not self._waits(view.record.id):
                for entry in retold((message,), known):
                    self.add(entry)

    def _read(self, transaction: Transaction) -> tuple[tuple[ChatMessage, ...], Known, ClausesSaid]:
        said = messages.all_of(transaction, self._project, _MOST_SAID)
        known = known_runs(transaction, [run.id for run in runs.all_of(transaction, self._project, _MOST_RUNS)])
        return said, known, message_clauses.all_of(transaction, self._project)

    def _read_news(self, transaction: Transaction) -> tuple[tuple[ChatMessage, ...], Known]:
        said = self._store.chat.news(transaction, self._project, self._last)
        return said, known_runs(transaction, dict.fromkeys(one.run for one in said if one.run is not None))

    def add(self, entry: Entry) -> int:
        """Add an entry without storing it; returns its index."""
        self.entries.append(entry)
        self.changed.emit(EntryChange(len(self.entries) - 1, added=True))
        return len(self.entries) - 1

    def put(self, index: int, entry: Entry) -> None:
        """Replace the entry at an index."""
        self.entries[index] = entry
        self.changed.emit(EntryChange(index))

    async def say(self, author: Author, text: str) -> int:
        """Add a message and store it; returns its index."""
        index = self.add(MessageEntry(author, text, now()))
        await self.keep(author, text)
        return index

    async def ask(self, request: str, scope: RequestScope, song: Song, *, keep: bool = True) -> int:
        """Add a person's message with what was attached to it; returns its index. It is stored if `keep`: a draft has
        nowhere to store it."""
        text = stored(request, scope, song)
        index = self.add(MessageEntry("you", request, now(), attached=told(text)[1], scope=scope))
        if keep:
            self._stored[index] = await self.keep("you", text)
        return index

    async def keep(self, author: Author, text: str) -> MessageId:
        """Store a message that is shown in another form, for the next start; returns its id."""
        role: Literal["user", "assistant"] = "user" if author == "you" else "assistant"
        message = ChatMessage(self._project, role, text)
        return await self._store.write(partial(self._store.chat.say, message=message))

    async def mark(self, index: int, clauses: tuple[Clause, ...]) -> None:
        """Set and store the clauses of the message at an index; does nothing for other entries."""
        said = self.entries[index]
        if not isinstance(said, MessageEntry):
            return
        self.put(index, replace(said, clauses=clauses))
        message = self._stored.get(index)
        if message is not None:
            await self._store.write(partial(message_clauses.put, message=message, clauses=clauses))

    def tell(self, author: Author, text: str) -> None:
        """Add a message that is stored already."""
        self.add(MessageEntry(author, text, now()))

    def tell_end(self, view: RunView, at: str, shown: Plan | None = None, *, with_card: bool = False) -> None:
        """Add the report of a run that has ended, once for each of its ends. `at` is its time (ISO 8601, UTC), `shown`
        its plan as proposed; `with_card` also adds a plan card if there is none."""
        run, end = view.record.id, _end_of(view)
        if not view.state.ended or self._ends.get(run) == end:
            return
        self._ends[run] = end
        if with_card and not self.card(
            lambda card: run in (card.run, card.proposed), lambda card: ended_card(card, view)
        ):
            self.add(card_of(view))
        for entry in run_entries(view, at, shown):
            self.add(entry)

    def card(self, which: Callable[[PlanCard], bool], news: Callable[[PlanCard], PlanCard]) -> bool:
        """Replace the newest plan card for which `which` is true by what `news` makes of it; returns whether there is
        one."""
        for index in reversed(range(len(self.entries))):
            entry = self.entries[index]
            if isinstance(entry, PlanCard) and which(entry):
                if news(entry) != entry:
                    self.put(index, news(entry))
                return True
        return False

    def draft_of(self, plan_hash: str) -> int:
        """The draft number of a plan, from 1; each refinement makes the next one."""
        made = (one.draft for one in self.entries if isinstance(one, Refined) and one.after == plan_hash)
        return next(made, 1)

    def settle(self) -> None:
        """Mark that no refinement can be undone any more, as its plan is not under review."""
        for index, entry in enumerate(self.entries):
            if isinstance(entry, Refined) and entry.before:
                self.put(index, replace(entry, before=""))

    def _waits(self, run: RunId) -> bool:
        """Whether the line of a request that waits is here; what becomes of it is told there."""
        return any(isinstance(entry, Queued) and entry.run == run for entry in self.entries)


def _end_of(view: RunView) -> int:
    """Tells the end of a run from every later one, should it go on."""
    return max((event.number for event in view.events), default=0)

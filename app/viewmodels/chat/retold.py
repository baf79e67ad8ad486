"""Stored messages and the ends of runs as entries of the conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.plan.document import Plan
from agent.plan.plan import Clause
from agent.session.run_state import RunState
from agent.song.ids import RunId
from app.storage.database import Transaction
from app.storage.records import ChatMessage, MessageId
from app.studio.naming import in_brief
from app.studio.running.run_view import RunView, load_run
from app.viewmodels.chat.attaching import told
from app.viewmodels.chat.clauses import clause_lines
from app.viewmodels.chat.entries import Entry, MessageEntry, PlanCard, Queued, ReportEntry
from app.viewmodels.chat.telling import outcome, run_details, run_words

Known: TypeAlias = Mapping[RunId, RunView]
"""The runs that messages refer to, by id."""
ClausesSaid: TypeAlias = Mapping[MessageId, tuple[Clause, ...]]
"""Outcomes of clauses by message id."""
_NONE: ClausesSaid = {}


def known_runs(transaction: Transaction, wanted: Iterable[RunId]) -> Known:
    """The `wanted` runs that can be read, by id; a damaged one is left out, as it must not hide the conversation."""
    known: dict[RunId, RunView] = {}
    for run in wanted:
        with suppress(BandleaderError):
            known[run] = load_run(transaction, run)
    return known


def ended_card(card: PlanCard, view: RunView) -> PlanCard:
    """A plan card updated for a run that has ended; the number of tracks is shown only for a plan that ran as
    proposed."""
    steps = len(view.plan.steps)
    return replace(
        card, run=view.record.id, iteration=view.record.iteration, outcome=outcome(view),
        whole=view.ledger.done == view.ledger.approved, steps=steps, tracks=card.tracks if steps == card.steps else 0,
    )


def card_of(view: RunView) -> PlanCard:
    """A plan card for a run that has ended and has none yet."""
    plan = view.plan
    card = PlanCard(
        shortened(view.record.request), len(plan.steps), plan.hash, plan.understood, plan.ignored,
        clauses=clause_lines(plan),
    )
    return ended_card(card, view)


def run_entries(view: RunView, at: str, shown: Plan | None = None) -> list[Entry]:
    """The entries for the end of a run: a message, and its report if there is one. `at` is the time (ISO 8601, UTC),
    `shown` the plan by which rows are numbered (None: the run's own)."""
    report = None if view.answer is None else view.answer.report
    words: list[Entry] = [
        MessageEntry("bandleader", run_words(view, shown), at, details=run_details(view, shown))
    ]
    return words if report is None else [*words, ReportEntry(report)]


def shortened(request: str) -> str:
    """A request cut to one short line."""
    return in_brief(request, 60)


def _said(message: ChatMessage, clauses: tuple[Clause, ...]) -> MessageEntry:
    if message.role != "user":
        return MessageEntry("bandleader", message.text, message.created)
    text, attached = told(message.text)
    return MessageEntry("you", text, message.created, attached=attached, clauses=clauses)


def retold(said: Sequence[ChatMessage], known: Known, clauses: ClausesSaid = _NONE) -> list[Entry]:
    """The stored messages `said` as entries, oldest first, with the runs that they refer to (`known`) and the outcomes
    of their clauses."""
    entries: list[Entry] = []
    last = {message.run: message.id for message in said if message.role == "assistant" and message.run in known}
    for message in said:
        view = known.get(message.run) if message.run is not None else None
        if view is not None and message.role == "user" and view.state is RunState.DRAFT:
            text, attached = told(message.text)
            entries.append(Queued(view.record.id, text, message.created, "", attached))
        elif view is None or message.role == "user" or not view.planned:
            entries.append(_said(message, clauses.get(message.id, ())))
        elif last[view.record.id] == message.id:
            # A run that was mended has a word for each of its ends; the card and the last word tell them all.
            entries.append(card_of(view))
            entries += run_entries(view, message.created)
    return entries

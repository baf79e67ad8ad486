"""Which widget shows an entry, and what it asks of the list that it stands in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import SignalInstance

from app.ui.chat.entries import AskedView, ProblemView, WorkView
from app.ui.chat.parts import EntryFrame
from app.ui.chat.plan_card import PlanCardView
from app.ui.chat.refined_card import RefinedView
from app.ui.chat.report_view import ReportView
from app.ui.chat.said import QueuedView, WordsView
from app.ui.kit.context import Kit
from app.viewmodels.chat.entries import (
    Asked,
    Entry,
    MessageEntry,
    PlanCard,
    ProblemEntry,
    Queued,
    ReportEntry,
    WorkEntry,
)
from app.viewmodels.chat.refined import Refined
from app.viewmodels.texts.moments import clock_time


class Asks(Protocol):
    """Signals that entries emit through their list."""

    plan_wanted: SignalInstance
    reopen_wanted: SignalInstance
    iteration_wanted: SignalInstance
    chosen: SignalInstance
    send_again: SignalInstance
    put_wanted: SignalInstance
    offline_wanted: SignalInstance
    edit_wanted: SignalInstance
    back_wanted: SignalInstance
    link_wanted: SignalInstance
    offer_wanted: SignalInstance


def make_view(asks: Asks, entries: Sequence[Entry], index: int, kit: Kit) -> EntryFrame:
    """The widget of the entry at `index`, connected to the signals of `asks`."""
    entry = entries[index]
    headed = index == 0 or is_yours(entries[index - 1]) or is_yours(entry)
    match entry:
        case MessageEntry():
            words = _words(asks, entry, headed, kit)
            words.offer_wanted.connect(lambda: asks.offer_wanted.emit(index))
            return words
        case WorkEntry():
            return WorkView(kit, entry, headed, _when(entries, index))
        case PlanCard():
            card = PlanCardView(kit, entry)
            card.plan_wanted.connect(asks.plan_wanted)
            card.reopen_wanted.connect(asks.reopen_wanted)
            card.iteration_wanted.connect(asks.iteration_wanted)
            return card
        case Refined():
            refined = RefinedView(kit, entry)
            refined.back_wanted.connect(asks.reopen_wanted)
            return refined
        case Asked():
            asked = AskedView(kit, entry, headed, _when(entries, index))
            asked.chosen.connect(lambda choice: asks.chosen.emit(index, choice))
            return asked
        case Queued():
            queued = QueuedView(kit, entry, headed)
            queued.edit_wanted.connect(lambda: asks.edit_wanted.emit(index))
            queued.back_wanted.connect(lambda: asks.back_wanted.emit(index))
            return queued
        case ReportEntry():
            return ReportView(kit, entry)
        case ProblemEntry():
            problem = ProblemView(kit, entry)
            problem.send_again.connect(lambda words: asks.send_again.emit(words, entry.scope))
            problem.offline_wanted.connect(lambda words: asks.offline_wanted.emit(words, entry.scope))
            return problem


def is_yours(entry: Entry) -> bool:
    """Whether an entry is a person's request."""
    return isinstance(entry, Queued) or (isinstance(entry, MessageEntry) and entry.author == "you")


def _words(asks: Asks, words: MessageEntry, headed: bool, kit: Kit) -> WordsView:
    made = WordsView(kit, words, headed)
    made.again_wanted.connect(lambda: asks.send_again.emit(words.text, words.scope))
    made.put_wanted.connect(lambda: asks.put_wanted.emit(words))
    made.link_wanted.connect(asks.link_wanted)
    return made


def _when(entries: Sequence[Entry], index: int) -> str:
    """The time of what was said last before an entry that has none."""
    for entry in reversed(entries[:index]):
        if isinstance(entry, MessageEntry):
            return clock_time(entry.at)
    return ""

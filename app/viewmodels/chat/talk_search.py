"""Finding words in a conversation, whatever kind of entry holds them."""

from __future__ import annotations

from collections.abc import Sequence

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


def words_of(entry: Entry) -> str:
    """All texts that an entry shows, for searching."""
    match entry:
        case MessageEntry():
            return " ".join((entry.text, entry.details, *entry.attached))
        case Queued(text=text):
            return text
        case WorkEntry():
            return f"{entry.what} {entry.result}"
        case PlanCard():
            return " ".join((entry.title, *entry.understood, *entry.ignored))
        case Refined():
            return " ".join(f"{row.title} {row.what}" for row in entry.rows)
        case Asked():
            return " ".join((entry.question.text, *(choice.label for choice in entry.question.choices)))
        case ProblemEntry():
            return f"{entry.trouble.what} {entry.trouble.why} {entry.trouble.fix}"
        case ReportEntry():
            return " ".join(section.title for section in entry.report.sections)


def found_in(entries: Sequence[Entry], wanted: str) -> tuple[int, ...]:
    """Indices of the entries that contain all the words in `wanted`, in order, ignoring case; none for an empty
    text."""
    words = wanted.casefold().split()
    if not words:
        return ()
    return tuple(at for at, entry in enumerate(entries) if _holds(words_of(entry).casefold(), words))


def _holds(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)

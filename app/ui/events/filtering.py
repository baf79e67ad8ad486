"""Which events are shown, and events as text and JSON for the clipboard; no Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from app.i18n import tr
from app.viewmodels.events.event_lines import EventGroup, EventLine


class Kept(Struct, frozen=True):
    """A filter: a group (None: all), a step's id (empty: all), and words that must all occur in the line."""

    group: EventGroup | None = None
    step: str = ""
    words: tuple[str, ...] = ()

    @property
    def all(self) -> bool:
        """Whether every event matches."""
        return self.group is None and not self.step and not self.words

    def keeps(self, line: EventLine) -> bool:
        """Whether an event matches."""
        if self.group is not None and line.group is not self.group:
            return False
        if self.step and line.step != self.step:
            return False
        if not self.words:
            return True
        told = f"{line.number} {line.what} {line.kind} {line.text}".casefold()
        return all(word in told for word in self.words)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a typed text in lower case, for a filter."""
    return tuple(text.casefold().split())


def as_text(lines: Iterable[EventLine], numbers: Mapping[str, int]) -> str:
    """One line for each event, its fields separated by tabs; `numbers` maps a step's id to its number in the plan."""
    return "\n".join("\t".join((
        str(line.number), line.time, line.what, row_words(line, numbers), item_words(line), line.text,
    )).rstrip() for line in lines)  # fmt: skip


def as_json(lines: Iterable[EventLine]) -> str:
    """The events as stored, as one JSON list."""
    told = [
        {"number": line.number, "kind": line.kind, "at": line.at, **msgspec.json.decode(line.body)} for line in lines
    ]
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()


def row_words(line: EventLine, numbers: Mapping[str, int]) -> str:
    """"step 5" by the number in the plan; empty for an event of the whole run."""
    return tr("step {step}", step=numbers.get(line.step, '?')) if line.step else ""


def item_words(line: EventLine) -> str:
    """"item 3", counted from 1; empty for an event of the whole step."""
    return tr("item {value}", value=line.item + 1) if line.item >= 0 else ""

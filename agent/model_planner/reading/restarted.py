"""Joining a continuation that begins anew: with the whole object, or with the row that was cut."""

from __future__ import annotations

import re

from agent.model_planner.reading.answer_scanner import ROW_LISTS, AnswerScanner, Span, scanned

_GAP = re.compile(r"[ \t\n\r]*")
_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?(?=[\s,\]}])")
_WORD = re.compile(r"(?:true|false|null)(?=[\s,\]}])")
_OPEN_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z')
_OPEN_NUMBER = re.compile(r"-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?)?\Z")
_OPEN_WORDS = frozenset(word[:size] for word in ("true", "false", "null") for size in range(1, len(word) + 1))

_VALUE, _ITEM, _KEY, _NEXT_KEY, _COLON, _NEXT, _END = "value", "item", "key", "next key", "colon", "next", "end"


class JsonPrefix:
    """Checks token by token whether a text can be the beginning of a JSON value; a `copy` allows trying several
    continuations.

    Two equal names in one object count as an error: they show that parts were joined in the wrong place.
    """

    def __init__(self) -> None:
        self._stack: list[set[str] | None] = []
        self._wants = _VALUE

    def copy(self) -> JsonPrefix:
        """An independent copy of the state."""
        twin = JsonPrefix()
        twin._stack = [None if names is None else set(names) for names in self._stack]
        twin._wants = self._wants
        return twin

    @property
    def complete(self) -> bool:
        """Whether the value has ended."""
        return self._wants == _END

    def read(self, text: str, place: int = 0) -> tuple[int, bool]:
        """Read tokens of the text from index `place` on; returns (end, possible): where the last complete token ends,
        and whether what follows may still become a token. Stops at the end of the value."""
        while True:
            place = _skip_gap(text, place)
            if place >= len(text) or self._wants == _END:
                return place, True
            end = self._token(text, place)
            if end is None:
                return place, self._may_become(text, place)
            if end < 0:
                return place, False
            place = end

    def _token(self, text: str, place: int) -> int | None:
        """The end of the token at `place`; -1 where it cannot stand, None where no complete one is."""
        mark = text[place]
        if mark in "{}[]:,":
            return place + 1 if self._mark(mark) else -1
        if mark == '"':
            found = _TEXT.match(text, place)
            if found is None:
                return None
            return found.end() if self._text(found.group()) else -1
        found = _NUMBER.match(text, place) or _WORD.match(text, place)
        if found is None:
            return None
        return found.end() if self._value_ends() else -1

    def _mark(self, mark: str) -> bool:
        wants = self._wants
        if mark in "{[" and wants in (_VALUE, _ITEM):
            self._stack.append(set() if mark == "{" else None)
            self._wants = _KEY if mark == "{" else _ITEM
            return True
        if mark == ":" and wants == _COLON:
            self._wants = _VALUE
            return True
        if mark == "," and wants == _NEXT:
            self._wants = _VALUE if self._stack[-1] is None else _NEXT_KEY
            return True
        closes_object = mark == "}" and bool(self._stack) and self._stack[-1] is not None and wants in (_KEY, _NEXT)
        closes_list = mark == "]" and bool(self._stack) and self._stack[-1] is None and wants in (_ITEM, _NEXT)
        if closes_object or closes_list:
            self._stack.pop()
            self._wants = _NEXT if self._stack else _END
            return True
        return False

    def _text(self, raw: str) -> bool:
        if self._wants not in (_KEY, _NEXT_KEY):
            return self._value_ends()
        names = self._stack[-1]
        if names is None or raw in names:
            return False
        names.add(raw)
        self._wants = _COLON
        return True

    def _value_ends(self) -> bool:
        if self._wants not in (_VALUE, _ITEM):
            return False
        self._wants = _NEXT if self._stack else _END
        return True

    def _may_become(self, text: str, place: int) -> bool:
        if text[place] == '"':
            return self._wants in (_VALUE, _ITEM, _KEY, _NEXT_KEY) and _OPEN_TEXT.match(text, place) is not None
        if self._wants not in (_VALUE, _ITEM):
            return False
        rest = text[place:place + 400]
        return rest in _OPEN_WORDS or _OPEN_NUMBER.match(rest) is not None


def _skip_gap(text: str, place: int) -> int:
    found = _GAP.match(text, place)
    return found.end() if found is not None else place


_ANSWER_FIELDS = ROW_LISTS | {"understood", "analysis", "musical_reasoning", "ignored", "question", "plan", "asks"}
_ROW_FIELDS = frozenset({"tool", "tool_name", "function", "action"})
_ID = re.compile(
    r'\{\s*(?:"[^"]*"\s*:\s*(?:"(?:[^"\\]++|\\.)*+"|[\d.]+)\s*,\s*)*?"(?:id|step)"\s*:\s*("(?:[^"\\]++|\\.)*+"|\d+)\s*[,}]'
)
_ONLY_AN_END = re.compile(r"\s*+(?:```)?+\s*+\Z")


def rejoined(before: str, outline: AnswerScanner, after: str) -> str | None:
    """Joins two pieces of an interrupted answer: `before`, which was cut off, and `after`, the model's continuation.
    None if `after` does not begin anew with the answer's object or with rows. `outline` is a scanner fed with exactly
    `before`.

    Complete rows of `before` stay, repeated ones are dropped, and the row in which `before` was cut is taken from
    `after`. If `after` lacks that row, the result is `before`, as nothing can be added without a loss.
    """
    bare = after.lstrip().removeprefix(",").lstrip()
    if not bare.startswith(("{", "[")):
        return None
    again = scanned(bare)
    if again.root is None or again.root.start != 0:
        return None
    names = {field.name for field in again.fields}
    if bare.startswith("{") and names & _ANSWER_FIELDS and not names & _ROW_FIELDS:
        if outline.row_list is not None and outline.row_list.end is None:
            return _with_rows(before, outline, bare, again)
        return _with_fields(before, outline, bare, again)
    if outline.row_list is None or outline.row_list.end is not None:
        return None
    if bare.startswith("[") and again.rows and _is_row(bare, again.rows[0]):
        return _with_list(before, outline, bare, again)
    if bare.startswith("{") and names & _ROW_FIELDS:
        rows = scanned("[" + bare)
        shifted = [Span(row.start - 1, None if row.end is None else row.end - 1) for row in rows.rows]
        return _spliced_rows(before, outline, bare, shifted)
    return None


def row_id(text: str, row: Span) -> str | None:
    """The id written in the row that lies at the span `row` of the text; None if it has not arrived or follows nested
    values."""
    found = _ID.match(text, row.start)
    return found[1] if found is not None else None


def _with_rows(before: str, outline: AnswerScanner, after: str, again: AnswerScanner) -> str:
    if again.row_list is None:
        return before
    tail = after
    if again.root is not None and again.root.end is not None and again.row_list.end is not None:
        known = {field.name for field in outline.fields}
        later = [
            after[field.start:field.end] for field in again.fields
            if field.start > again.row_list.end and field.name not in known
        ]
        tail = "".join((after[:again.row_list.end], *(f",{text}" for text in later), after[again.root.end - 1:]))
    if not again.rows and again.row_list.end is None:
        return before
    if not again.rows and again.row_list.end is not None:
        return before if _open_row(outline) is not None else _kept_rows(before, outline) + tail[again.row_list.end - 1:]
    return _spliced_rows(before, outline, tail, again.rows)


def _with_list(before: str, outline: AnswerScanner, after: str, again: AnswerScanner) -> str:
    end = again.root.end if again.root is not None else None
    in_object = outline.root is not None and before[outline.root.start] == "{"
    if end is not None and in_object and _ONLY_AN_END.match(after, end) is not None:
        after = after[:end] + "}" + after[end:]
    return _spliced_rows(before, outline, after, again.rows)


def _spliced_rows(before: str, outline: AnswerScanner, after: str, rows: list[Span]) -> str:
    known = {row_id(before, row) for row in outline.rows if row.end is not None} - {None}
    fresh = next((place for place, row in enumerate(rows) if row_id(after, row) not in known), len(rows))
    opened = _open_row(outline)
    wanted = row_id(before, opened) if opened is not None else None
    if wanted is not None and all(row_id(after, row) != wanted for row in rows[fresh:]):
        return before
    kept = _kept_rows(before, outline)
    if fresh < len(rows):
        separator = "," if kept.endswith("}") else ""
        return kept + separator + after[rows[fresh].start:]
    end = rows[-1].end
    return before if end is None or opened is not None else kept + after[end:]


def _kept_rows(before: str, outline: AnswerScanner) -> str:
    ends = [row.end for row in outline.rows if row.end is not None]
    if ends:
        return before[:ends[-1]]
    return before[:outline.row_list.start + 1] if outline.row_list is not None else before


def _open_row(outline: AnswerScanner) -> Span | None:
    return outline.rows[-1] if outline.rows and outline.rows[-1].end is None else None


def _with_fields(before: str, outline: AnswerScanner, after: str, again: AnswerScanner) -> str:
    """What was complete of the fields stays; the others are taken from the new object."""
    if outline.root is None:
        return before + after
    complete = [field for field in outline.fields if field.end is not None]
    names = {field.name for field in complete}
    kept = before[:complete[-1].end] if complete else before[:outline.root.start + 1]
    fresh = [after[field.start:field.end] for field in again.fields if field.name not in names]
    ends = again.fields[-1].end
    tail = after[ends:] if ends is not None else ""
    return kept + ("," if complete and fresh else "") + ",".join(fresh) + tail


def _is_row(text: str, row: Span) -> bool:
    fields = scanned(text[row.start:row.end]).fields
    return bool({field.name for field in fields} & _ROW_FIELDS)

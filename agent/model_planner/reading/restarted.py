"""Joining a continuation that begins anew: with the whole object, or with the row that was cut."""

from __future__ import annotations

import re

from agent.model_planner.reading.answer_scanner import ROW_LISTS, AnswerScanner, Span, scanned

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

"""Finding the JSON of an answer in a text: exact, among words and fences, or mended where it is only sloppy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from agent.message import msg
from agent.model_planner.reading.answered import TruncatedAnswer, UnreadableAnswer
from agent.plan.plan import Json

MAX_TEXT = 8 * 1024 * 1024
_LONGEST_TO_MEND = 1024 * 1024
_MOST_SPANS = 5000
_DEEPEST = 500
_BEGIN = re.compile(r'\{(?=\s{0,40}(?:["\'}]|[A-Za-z_]{1,40}\s{0,9}:|\Z))|\[(?=\s{0,40}(?:[\{\]]|\Z))')
_TELLING = re.compile(r"[\"']?(?:steps|actions|operations|rows|plan|question)[\"']?\s{0,9}:")
_MARK = re.compile(r'["\'{}\[\]]|//|/\*')
_STRICT_END = re.compile(r'"|\\')
_LENIENT_END = re.compile(r'"(?=\s{0,40}(?:[,:}\]]|$))|\\')
_SINGLE_END = re.compile(r"'(?=\s{0,40}[,:}\]])|\\")
_ROWS = ("steps", "actions", "operations", "rows", "plan")
_WRAPS = ("plan", "answer", "result", "response", "output")


class FoundJson(Struct, frozen=True):
    """A JSON value that may be an answer, and sentences about what was repaired to read it."""

    value: Json
    repairs: tuple[str, ...] = ()


def find_json(text: str) -> FoundJson | None:
    """The answer's JSON in the text; None if there is none.

    Raises `TruncatedAnswer` if it is cut off, and `UnreadableAnswer` if it is too long or cannot be repaired.
    """
    if len(text) > MAX_TEXT:
        raise UnreadableAnswer(
            msg("the answer is too long"), why=msg("{count:,} characters", count=len(text)),
            fix=msg("answer with fewer notes"),
        )
    value = _exact(text)
    if isinstance(value, dict | list):
        return FoundJson(value)
    spans = _spans(text)
    if not spans:
        return None
    closed = [(start, end) for start, end in spans if end is not None]
    found = _chosen([value for start, end in closed if isinstance(value := _exact(text[start:end]), dict | list)])
    is_open = spans[-1][1] is None
    if found is not None and not (is_open and _is_rows(found)):
        return FoundJson(found)
    if is_open:
        raise TruncatedAnswer(
            msg("the answer ends before the plan does"), why=msg("its JSON is not closed"),
            fix=msg("go on exactly where it ends"),
        )
    return _mended(text, closed)


def holds_whole(text: str) -> bool:
    """Whether the text holds a complete JSON answer, even a sloppy one. Rows without an enclosing object are never
    complete, as more may follow."""
    spans = _spans(text)
    if not spans or spans[-1][1] is None:
        return False
    return any(text[start] == "[" or _TELLING.search(text, start, end or start) is not None for start, end in spans)


def rows_in(value: Json) -> list[Json] | None:
    """The list of rows in a value, whatever field it is in; None if there is none."""
    if isinstance(value, list):
        return value if all(isinstance(item, dict) for item in value) else None
    if not isinstance(value, dict):
        return None
    for name in _ROWS:
        if isinstance(value.get(name), list):
            return list(value[name])
    return None


def unwrapped(value: Json) -> Json:
    """The answer without enclosing objects that hold nothing else of use."""
    for _ in range(4):
        inner = next((value[name] for name in _WRAPS if isinstance(value.get(name), dict)), None) \
            if isinstance(value, dict) and rows_in(value) is None else None
        if inner is None:
            return value
        value = inner
    return value


def is_row(value: Json) -> bool:
    """Whether an object looks like a row of a plan."""
    return isinstance(value, dict) and ("tool" in value or "function" in value or "action" in value) \
        and rows_in(value) is None


def _exact(text: str) -> Json:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


def _chosen(values: Sequence[Json]) -> Json:
    """The last value that is an answer, or else all that are rows."""
    answers = [value for value in values if not is_row(value) and _answers(unwrapped(value))]
    if answers:
        return answers[-1]
    rows = [value for value in values if is_row(value)]
    return rows or None


def _answers(value: Json) -> bool:
    if isinstance(value, dict):
        return rows_in(value) is not None or bool(value.get("question"))
    return isinstance(value, list) and bool(value) and all(is_row(item) for item in value)


def _is_rows(value: Json) -> bool:
    return isinstance(value, list)


def _mended(text: str, spans: Sequence[tuple[int, int]]) -> FoundJson | None:
    if sum(end - start for start, end in spans) > _LONGEST_TO_MEND:
        raise UnreadableAnswer(msg("the answer is not JSON and too long to be mended"), why=_problem(text, spans))
    from json_repair import repair_json  # its import takes 80 ms and is seldom needed

    values: list[Json] = []
    for start, end in spans[:200]:
        try:
            values.append(_clean(repair_json(text[start:end], return_objects=True, skip_json_loads=True)))
        except Exception:  # noqa: S112 - whatever a library meets in a model's text, the text is what is wrong
            continue
    found = _chosen(values)
    if found is None:
        return None
    return FoundJson(found, (f"the answer was not quite JSON and was mended ({_problem(text, spans)})",))


def _problem(text: str, spans: Sequence[tuple[int, int]]) -> str:
    start, end = max(spans, key=lambda span: span[1] - span[0])
    try:
        json.loads(text[start:end])
    except ValueError as problem:
        return str(problem)[:120]
    except RecursionError:
        return "nested too deeply"
    return "JSON with odd numbers or letters"


def _clean(value: Json) -> Json:
    """Without halves of letters, which no text may hold."""
    return msgspec.json.decode(json.dumps(value, ensure_ascii=False, allow_nan=False).encode(errors="replace"))


def _spans(text: str) -> list[tuple[int, int | None]]:
    """Where JSON begins and ends in the text, outermost brackets only; the end of the last may be missing."""
    spans = list(_spans_by(text, _STRICT_END))
    if spans and spans[-1][1] is None:
        again = list(_spans_by(text, _LENIENT_END))
        if again and again[-1][1] is not None:
            return again
    return spans


def _spans_by(text: str, end_of_text: re.Pattern[str]) -> Iterator[tuple[int, int | None]]:
    place = 0
    for _ in range(_MOST_SPANS):
        found = _BEGIN.search(text, place)
        if found is None:
            return
        end = _end_of(text, found.start(), end_of_text)
        yield found.start(), end
        if end is None:
            return
        place = end


def _end_of(text: str, start: int, end_of_text: re.Pattern[str]) -> int | None:
    """The end of the value that begins at `start`; a closing bracket that fits an outer one closes the inner ones."""
    stack: list[str] = []
    place = start
    while (found := _MARK.search(text, place)) is not None:
        mark, place = found.group(), found.end()
        if mark == '"':
            place = _after_text(text, place, end_of_text)
        elif mark == "'" and text[max(0, place - 40):place - 1].rstrip()[-1:] in ("{", "[", ",", ":"):
            place = _after_text(text, place, _SINGLE_END)
        elif mark == "//":
            place = _after(text, "\n", place)
        elif mark == "/*":
            place = _after(text, "*/", place)
        elif mark in "{[":
            stack.append(mark)
            if len(stack) > _DEEPEST:
                return None
        elif mark in "}]":
            opening = "{" if mark == "}" else "["
            while opening in stack and stack.pop() != opening:
                pass
            if not stack:
                return place
    return None


def _after_text(text: str, place: int, end: re.Pattern[str]) -> int:
    while (found := end.search(text, place)) is not None:
        if found.group() != "\\":
            return found.end()
        place = found.end() + 1
    return len(text)


def _after(text: str, mark: str, place: int) -> int:
    found = text.find(mark, place)
    return found + len(mark) if found >= 0 else len(text)

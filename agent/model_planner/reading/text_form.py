"""Plans as plain text: `Step 3: add_effect - ...` with a line for each input below it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from agent.model_planner.reading.answer_mending import answer_from
from agent.model_planner.reading.answered import ParsedAnswer
from agent.model_planner.reading.input_mending import number_in
from agent.plan.plan import Json
from agent.plan.tool import ToolSpec

MAX_TEXT = 8 * 1024 * 1024
_LONGEST_LINE = 400
_STEP = re.compile(r"[\s#*>_-]{0,12}step\s*+#?(\d{1,4})\s*+[*_]{0,3}\s*+[:.)–—-]\s*+(.+)", re.IGNORECASE)
_NUMBERED = re.compile(r"[\s#*>_-]{0,12}(\d{1,4})\s*+[.):]\s*+(.+)")
_TOOL = re.compile(r"[*_`\"' ]{0,4}([A-Za-z][\w.-]{0,60})[*_`\"' ]{0,4}(?:\(.{0,200}\))?\s*(?:[-–—:]+\s*(.*))?")
_SECTION = re.compile(
    r"[\s#*>_]{0,8}(analysis|plan|steps|execution plan|musical[ _]reasoning|understood|ignored)"
    r"\s*+[*_]{0,3}\s*+:\s*+[*_]{0,3}\s*+(.*)",
    re.IGNORECASE,
)
_INPUT = re.compile(
    r"[\s>]{0,40}(?:[-*•+]\s{1,4})?[*`]{0,3}([A-Za-z][A-Za-z0-9_ ]{0,40}?)[*`]{0,3}\s{0,4}[:=]\s{0,4}[*]{0,3}(.*)"
)
_ITEM = re.compile(r"\s{0,40}(?:[-*•+]\s{0,4})?(?=[\[{])")
_HEADINGS = frozenset({"inputs", "input", "parameters", "params", "arguments", "args"})
_ROW_FIELDS = frozenset({"why", "reason", "rationale", "group", "for_each", "when", "by", "goal", "after", "on_error"})


class _Row(Struct):
    """A row as it is being read."""

    raw: dict[str, Any]
    inputs: dict[str, Json] = field(default_factory=dict)


class _Reading(Struct):
    """What was read of a text so far; `part` is the section that lines belong to."""

    rows: list[_Row] = field(default_factory=list)
    words: dict[str, list[str]] = field(default_factory=dict)
    part: str = "analysis"


def read_text_plan(text: str, tools: Sequence[ToolSpec]) -> ParsedAnswer | None:
    """The plan in a text of the form `Step 3: add_effect - ...`; None if it has no step with a known tool.

    Raises `UnreadableAnswer` for a step that cannot be read.
    """
    if len(text) > MAX_TEXT:
        return None
    names = {_folded(tool.name): tool for tool in tools}
    reading = _Reading()
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("```")]
    place = 0
    while place < len(lines):
        place = _line(reading, lines, place, names)
    if not any(_folded(row.raw["tool"]) in names for row in reading.rows):
        return None
    said = {name: "\n".join(found).strip() for name, found in reading.words.items()}
    value = {
        "analysis": said.get("analysis", ""), "musical_reasoning": said.get("musical reasoning", ""),
        "understood": _listed(said.get("understood", "")), "ignored": _listed(said.get("ignored", "")),
        "steps": [{**row.raw, "inputs": row.inputs} for row in reading.rows],
    }
    return answer_from(value, tools, (f"the plan was written as text and read as {len(reading.rows)} rows",))


def _line(reading: _Reading, lines: list[str], place: int, names: Mapping[str, ToolSpec]) -> int:
    """Read the line at `place` and whatever belongs to it; the place of the next one."""
    line = lines[place][:_LONGEST_LINE]
    row = _row(line, names)
    if row is not None:
        reading.rows.append(row)
        reading.part = "steps"
        return place + 1
    if section := _SECTION.fullmatch(line):
        reading.part = section[1].lower().replace("_", " ")
        reading.words.setdefault(reading.part, []).append(section[2].strip("* "))
        return place + 1
    if reading.part == "steps" and reading.rows:
        return _input(reading.rows[-1], lines, place, names)
    reading.words.setdefault(reading.part, []).append(line.strip("* "))
    return place + 1


def _row(line: str, names: Mapping[str, ToolSpec]) -> _Row | None:
    explicit = _STEP.fullmatch(line.rstrip())
    found = explicit or _NUMBERED.fullmatch(line.rstrip())
    if found is None:
        return None
    head = _TOOL.fullmatch(found[2].strip())
    if head is None or _folded(head[1]) not in names:
        if explicit is None:
            return None
        tool, title = (found[2].strip("* ")[:60], "") if head is None else (head[1], head[2] or "")
    else:
        tool, title = names[_folded(head[1])].name, head[2] or ""
    return _Row({"id": f"s{int(found[1])}", "tool": tool, "title": title.strip("* ")})


def _input(row: _Row, lines: list[str], place: int, names: Mapping[str, ToolSpec]) -> int:
    found = _INPUT.fullmatch(lines[place])
    if found is None:
        return place + 1
    name, text = found[1].strip().replace(" ", "_"), found[2].strip()
    place += 1
    if not text and name.lower() not in _HEADINGS:
        text, place = _items(lines, place)
    if is_open(text):
        text, place = _closed(text, lines, place, names)
    if name.lower() in _HEADINGS and not text:
        return place
    tool = names.get(_folded(row.raw["tool"]))
    takes = tool.inputs.get("properties", {}) if tool is not None else {}
    if name.lower() in _ROW_FIELDS and name not in takes:
        row.raw[name.lower()] = value_of(text)
    else:
        row.inputs[name] = value_of(text)
    return place


def _items(lines: list[str], place: int) -> tuple[str, int]:
    """The lines that are items of a list, as one list."""
    items = []
    while place < len(lines) and (found := _ITEM.match(lines[place])):
        items.append(lines[place][found.end():].rstrip().rstrip(","))
        place += 1
    if len(items) == 1 and items[0].startswith("["):
        return items[0], place
    return (f"[{', '.join(items)}]" if items else ""), place


def _closed(text: str, lines: list[str], place: int, names: Mapping[str, ToolSpec]) -> tuple[str, int]:
    """The text with the lines up to the one that closes it, or up to the next row."""
    depth = _depth(text)
    parts = [text]
    while place < len(lines) and depth > 0:
        if _row(lines[place][:_LONGEST_LINE], names) is not None:
            break
        parts.append(lines[place].strip())
        depth += _depth(lines[place])
        place += 1
    return " ".join(parts), place


def _depth(text: str) -> int:
    bare = re.sub(r'"[^"]*"', "", text)
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")


def _listed(text: str) -> list[str]:
    return [line.strip(" -*•") for line in text.splitlines() if line.strip(" -*•")]


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]", "", name[:200]).lower()


_NAME = re.compile(r"(?<=[{,\s])([A-Za-z_]\w{0,60})(\s{0,8}):")
_WORDS = {"true": True, "false": False, "yes": True, "no": False, "null": None, "none": None}
_FROM = re.compile(r"[\[(<]?\s*(?:\w+\s+)?from\s+step\s+\d", re.IGNORECASE)


def is_open(text: str) -> bool:
    """Whether the text opens brackets that are closed only on later lines."""
    bare = "" if _FROM.match(text) else re.sub(r'"[^"]*"', "", text)
    return bare[:1] in ("[", "{") and bare.count("[") + bare.count("{") > bare.count("]") + bare.count("}")


def value_of(text: str) -> Json:
    """The value written in the text: JSON (also with unquoted names), a number, true, false or null; otherwise the text
    itself."""
    bare = text.strip().rstrip(",").strip("`").strip()
    if _FROM.match(bare) or bare.startswith("{{"):
        return bare
    if bare[:1] in ("[", "{"):
        return _nested(bare)
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        return bare[1:-1]
    if bare.lower() in _WORDS:
        return _WORDS[bare.lower()]
    return number_in(bare)


def _nested(text: str) -> Json:
    for form in (text, _NAME.sub(r'"\1"\2:', text)):
        try:
            return json.loads(form)
        except (ValueError, RecursionError):
            continue
    return text

"""Turning the rows that models write into typed steps, one after another; whatever was mended is said."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from agent.message import msg
from agent.model_planner.reading.answered import UnreadableAnswer
from agent.model_planner.reading.goal_mending import mend_goal
from agent.model_planner.reading.input_mending import InputMender, pairs_of
from agent.model_planner.reading.note_mending import are_plain
from agent.plan.plan import Inputs, Json, Step
from agent.plan.tool import ToolSpec

MAX_DEPTH = 64
_ID = re.compile(r"[a-z][a-z0-9_]{0,31}")
_IN_BRACES = re.compile(r"\{\{\s*+([^{}]{1,80}?)(?<!\s)\s{0,20}+((?:\.\w{1,80}+|\[\d{1,4}\]){0,16}+)\s*+\}\}")
_ONE_BRACE = re.compile(r"\s*+\$?\{\s*+([^{}]{1,80}?)((?:\.\w{1,80}+|\[\d{1,4}\]){1,16}+)\s*+\}\s*+")
_STEP_NUMBER = re.compile(r"(\bsteps?[._\[ ]?\s*)(\d{1,4})\b", re.IGNORECASE)
_LONGEST_REFERENCE = 400

_TOOL = ("tool", "tool_name", "toolname", "action", "function", "operation", "command")
_INPUTS = ("inputs", "input", "parameters", "params", "args", "arguments", "tool_input", "options")
_OTHERS = {
    "id": ("id", "step_id", "stepid", "step", "number", "step_number", "index"),
    "title": ("title", "label", "description", "summary"),
    "why": ("why", "reason", "rationale", "reasoning"),
    "group": ("group", "section", "part"),
    "for_each": ("for_each", "foreach", "loop", "loop_over"),
    "when": ("when", "condition", "if"),
    "after": ("after", "depends_on", "dependencies", "depends"),
    "on_error": ("on_error", "onerror"),
    "by": ("by",), "goal": ("goal",), "max_edits": ("max_edits",), "retry": ("retry", "retries"),
    "timeout": ("timeout",), "accept_partial": ("accept_partial",),
}
_OPERATORS = {"==": "eq", "=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class RowMender:
    """Turns raw rows into steps, in the order of the plan. `said` collects a sentence for each repair."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._folded = {_folded(tool.name): tool.name for tool in tools}
        self._ids: dict[str, str] = {}
        self._made: set[str] = set()
        """All values of `_ids`."""
        self._numbers: dict[str, int] = {}
        """For the beginning of an id the lowest number that may be free."""
        self._places: dict[int, int] = {}
        self._count = 0
        self.said: list[str] = []

    def row(self, raw: Json) -> Step:
        """The next row as a step. Raises `UnreadableAnswer` for what cannot be a row."""
        self._count += 1
        where = f"row {self._count}"
        if not isinstance(raw, dict):
            raise UnreadableAnswer(
                msg("{where} is {raw}", where=where, raw=_shown(raw)), why=msg("a row is an object"),
                fix=msg("write each row as an object with id, tool and inputs"),
            )
        refuse_deep(raw, where)
        fields = {name: value for name, value in raw.items() if value is not None}
        tool = self._tool(fields, where)
        step_id = self._new_id(_taken(fields, _OTHERS["id"]))
        where = f"row {step_id}"
        made: dict[str, Any] = {"id": step_id, "tool": tool}
        inputs = self._inputs(fields, tool, where)
        for name, others in _OTHERS.items():
            if name != "id":
                self._field(made, name, _taken(fields, others), where)
        for name in fields:
            self.said.append(f"{where}: {name[:40]} was left out: a row has no such field")
        made["inputs"] = self._referring(inputs, where)
        mend_goal(made, self._tools, lambda text: self.said.append(f"{where}: {text}"))
        return self._typed(made, where)

    def _tool(self, fields: dict[str, Json], where: str) -> str:
        named = _taken(fields, _TOOL)
        if isinstance(named, dict):
            fields.pop("type", None)
            fields.update({name: value for name, value in named.items() if value is not None})
            named = None
        if named is None and isinstance(fields.get("name"), str):
            named = fields.pop("name")
            fields.pop("type", None)
        if named is None and len(fields) == 1 and _folded(next(iter(fields))) in self._folded:
            named, inner = fields.popitem()
            fields["inputs"] = inner
        if not isinstance(named, str) or not named.strip():
            raise UnreadableAnswer(
                msg("{where} names no tool", where=where),
                fix=msg('give it a field "tool": one of {tools}', tools=", ".join(list(self._tools)[:40])),
            )
        return self._known_tool(named.strip()[:120], where)

    def _known_tool(self, named: str, where: str) -> str:
        if named in self._tools:
            return named
        known = self._folded.get(_folded(named.rsplit(".", 1)[-1]))
        if known is None:
            return named
        self.said.append(f"{where}: the tool {named} was read as {known}")
        return known

    def _inputs(self, fields: dict[str, Json], tool: str, where: str) -> Inputs:
        spec = self._tools.get(tool)
        names = spec.inputs.get("properties", {}) if spec is not None else {}
        raw = next((fields.pop(name) for name in _INPUTS if name in fields), None)
        if raw is None:
            raw = {name: fields.pop(name) for name in list(fields) if name in names and name not in _OTHERS}
            if raw:
                self.said.append(f"{where}: its inputs stood beside them instead of in `inputs`")
        if isinstance(raw, str):
            raw = _parsed(raw)
        if isinstance(raw, list):
            raw = {} if not raw else pairs_of(raw)
        if not isinstance(raw, dict):
            raise UnreadableAnswer(
                msg("the inputs of {where} are no object", where=where), fix=msg('write inputs as {{"name": value}}'),
            )
        if spec is None:
            return raw
        return InputMender(lambda text: self.said.append(f"{where}: {text}")).inputs(spec.inputs, raw)

    def _field(self, made: dict[str, Any], name: str, value: Json, where: str) -> None:
        if value is None or value in ("", [], {}) or (name == "max_edits" and value == 0):
            return
        match name:
            case "title" | "why" | "group" | "goal":
                made[name] = _words(value, 200 if name in ("title", "group") else 4000)
            case "for_each":
                made[name] = self._reference(_words(value, _LONGEST_REFERENCE), where)
            case "when":
                made[name] = self._when(value, where)
            case "after":
                rows = value if isinstance(value, list) else [value]
                made[name] = [self.id_of(row) for row in rows if isinstance(row, str | int)]
            case "on_error":
                self._on_error(made, value, where)
            case _:
                self._checked(made, name, value, where)

    def _when(self, value: Json, where: str) -> Json:
        if not isinstance(value, dict) or not isinstance(value.get("left"), str):
            raise UnreadableAnswer(
                msg("the condition of {where} cannot be read", where=where),
                why=msg("it is {value}", value=_shown(value)),
                fix=msg('write it as {{"left": "{{{{s1.items}}}}", "op": "not_empty", "right": null}}, or null'),
            )
        op = str(value.get("op", "exists"))
        made = {"left": self._reference(value["left"], where), "op": _OPERATORS.get(op, op)}
        return made if value.get("right") is None else {**made, "right": value["right"]}

    def _on_error(self, made: dict[str, Any], value: Json, where: str) -> None:
        if value in ("stop", "continue") or (isinstance(value, dict) and set(value) == {"failures"}):
            self._checked(made, "on_error", value, where)
        elif value != "default":
            self.said.append(f"{where}: on_error {_shown(value)} was left out: it is stop or continue")

    def _checked(self, made: dict[str, Any], name: str, value: Json, where: str) -> None:
        """A field that is only kept where it fits."""
        try:
            msgspec.convert({"id": "s1", "tool": "t", name: value}, Step)
        except (msgspec.ValidationError, RecursionError):
            self.said.append(f"{where}: {name} {_shown(value)} was left out: it does not fit")
        else:
            made[name] = value

    def _typed(self, made: dict[str, Any], where: str) -> Step:
        try:
            return msgspec.convert(made, Step)
        except msgspec.ValidationError as problem:
            raise UnreadableAnswer(
                msg("{where} cannot be read", where=where), why=str(problem), fix=msg("write this row anew"),
            ) from None

    def _new_id(self, given: Json) -> str:
        number = _number(given)
        if number is not None:
            self._places.setdefault(number, self._count)
        if given is None or isinstance(given, dict | list) or not str(given).strip():
            return self._free(f"s{self._count}")
        made = _clean(given)
        if made != given:
            made = self._ids.get(str(given)) or self._free(made)
            self.said.append(f"row {self._count}: its id {_shown(given)} was read as {made}")
        self._made.add(self._ids.setdefault(str(given), made))
        return made

    def _free(self, wanted: str) -> str:
        if wanted not in self._made:
            return wanted
        numbers = itertools.count(self._numbers.get(wanted[:26], 2))
        number = next(number for number in numbers if f"{wanted[:26]}_{number}" not in self._made)
        self._numbers[wanted[:26]] = number
        return f"{wanted[:26]}_{number}"

    def id_of(self, given: str | int) -> str:
        """The id of the row for the name that the answer uses."""
        return self._ids.get(str(given)) or _clean(given)

    def _referring(self, value: Json, where: str) -> Json:
        if isinstance(value, str):
            return self._reference(value, where) if len(value) <= _LONGEST_REFERENCE else value
        if isinstance(value, dict):
            return {name: self._referring(inner, where) for name, inner in value.items()}
        if isinstance(value, list):
            return value if are_plain(value) else [self._referring(inner, where) for inner in value]
        return value

    def _reference(self, text: str, where: str) -> str:
        """The text with the ids that were mended; forms that name a row by its number are left for `normalise`."""
        if "{" not in text and "tep" not in text.lower():
            return text
        single = _ONE_BRACE.fullmatch(text)
        made = "{{" + single[1] + single[2] + "}}" if single is not None and self._names_row(single[1]) else text
        made = _IN_BRACES.sub(self._renamed, made)
        made = _STEP_NUMBER.sub(self._renumbered, made)
        if made != text:
            self.said.append(f"{where}: {text.strip()} was read as {made}")
        return made

    def _names_row(self, name: str) -> bool:
        return name == "item" or name in self._ids or name in self._made

    def _renamed(self, found: re.Match[str]) -> str:
        made = self._ids.get(found[1])
        return found[0] if made is None or made == found[1] else "{{" + made + found[2] + "}}"

    def _renumbered(self, found: re.Match[str]) -> str:
        """`Step 7` names the row that calls itself 7; `normalise` counts rows."""
        return f"{found[1]}{self._places.get(int(found[2]), int(found[2]))}"


def refuse_deep(value: Json, where: str) -> None:
    """Raise `UnreadableAnswer` if the value is nested deeper than any plan; `where` names it in the error."""
    level = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Json] = []
        for one in level:
            inner += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        level = [one for one in inner if isinstance(one, dict | list)]
        if not level:
            return
    raise UnreadableAnswer(
        msg("{where} is nested too deeply", where=where),
        why=msg("at most {max_depth} levels are read", max_depth=MAX_DEPTH),
    )


def _taken(fields: dict[str, Json], names: Sequence[str]) -> Json:
    for name in list(fields):
        if name.lower() in names and (name in names or name.lower() not in fields):
            return fields.pop(name)
    return None


def _clean(given: Json) -> str:
    """An id in the one form: `1`, `Step 1` and `step-1` are all `s1`."""
    text = str(given)
    if _ID.fullmatch(text):
        return text
    number = _number(given)
    if number is not None:
        return f"s{number}"
    slug = re.sub(r"[^a-z0-9]+", "_", text.lower()[:64]).strip("_")[:30]
    return slug if _ID.fullmatch(slug) else f"s{slug}" if slug else "s"


def _number(given: Json) -> int | None:
    found = re.fullmatch(r"\s*+(?:step|row|s)?[\s_#.-]*+(\d{1,4})[.)]?\s*+", str(given)[:40], re.IGNORECASE)
    return int(found[1]) if found is not None and not isinstance(given, bool) else None


def _words(value: Json, longest: int) -> str:
    if isinstance(value, list):
        value = "; ".join(str(inner) for inner in value[:20])
    return str(value)[:longest]


def _parsed(text: str) -> Json:
    try:
        return json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        return None


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]", "", name[:200]).lower()


def _shown(value: Json) -> str:
    return f"{value!r:.60}"

"""What a model is told of the form of its answer and of the tools it may plan with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.model_planner.prompt.data_block import visible
from agent.model_planner.prompt.goal_offer import offers_goals
from agent.model_planner.prompt.measures import GOALS, MEASURES
from agent.model_planner.prompt.strict_schema import (
    NULL,
    TEXT,
    closed,
    either,
    is_open,
    listed,
    pair,
    plain,
    span_of,
    strict,
    strict_inputs,
)
from agent.plan.inputs import Schema
from agent.plan.plan import Json
from agent.plan.tool import ToolSpec
from agent.providers.provider import ToolOffer
from agent.services.goal_service import WORK_ON
from agent.song.time import UNIT_BEATS

_OPERATORS = ["eq", "ne", "lt", "le", "gt", "ge", "in", "exists", "empty", "not_empty"]
_TEXTS = listed(TEXT)


def plan_schema(tools: Sequence[ToolSpec], *, typed: bool = False, asks: bool = True) -> Json:
    """The JSON schema of an answer, in the dialect of strict modes. `asks` includes asks with measures.

    Without `typed` all rows have one shape with inputs as a list of names and values, which every API with a strict
    mode accepts. With `typed` each tool has a row type of its own, for APIs without a limit of unions.
    """
    question = closed({"text": TEXT, "choices": listed(closed({"label": TEXT, "request": TEXT}))})
    row = either(*(_typed_row(tool) for tool in tools)) if typed and tools else _flat_row(tools)
    wishes = {"asks": listed(_ask(), "each wish and the figure that shows whether it is met")} if asks else {}
    return closed({
        "understood": listed(TEXT, "what was asked for, one item each"),
        "analysis": TEXT,
        "musical_reasoning": TEXT,
        "ignored": listed(TEXT, "what was asked for and is not done, each with its reason"),
        "question": either(question, NULL, about="only where the request cannot be planned without an answer"),
        "steps": listed(row),
        **wishes,
    })


def tool_offers(tools: Sequence[ToolSpec]) -> tuple[ToolOffer, ...]:
    """The tools in the provider's form for tool calls; descriptions are cleaned of invisible characters."""
    return tuple(ToolOffer(tool.name, visible(tool.about), _ordinary(tool.inputs)) for tool in tools)


def compact_tools(tools: Sequence[ToolSpec]) -> str:
    """One line per tool: its inputs (`?` for optional, `= x` for a default), its result, and what it does."""
    return "\n".join(_line(tool) for tool in tools)


def _typed_row(tool: ToolSpec) -> Schema:
    # The name comes first: some APIs tell the members of a union apart by their first field.
    return closed(
        {
            "tool": {"type": "string", "const": tool.name},
            **_heading(),
            "inputs": strict_inputs(tool.inputs),
            **(_goal("") if tool.name == WORK_ON else {}),
            **_conduct(nullable=True),
        },
        tool.about,
    )


def _flat_row(tools: Sequence[ToolSpec]) -> Schema:
    names = [tool.name for tool in tools]
    return closed({
        "tool": {"type": "string", "enum": names} if names else TEXT,
        **_heading(),
        "inputs": listed(pair(_any_value(tools)), "one item for each input of the tool that is given"),
        **(_goal(f" for {WORK_ON}, else ") if offers_goals(tools) else {}),
        **_conduct(nullable=False),
    })


def _goal(other: str) -> dict[str, Schema]:
    """What a row that is left to a model has besides; `other` begins what all other rows write there."""
    return {
        "goal": {**TEXT, "description": f"what is to be reached{other}{'empty' if other else ''}"},
        "max_edits": {"type": "integer", "description": f"1 to 200{other}{'0' if other else ''}"},
    }


def _ask() -> Schema:
    return closed({
        "asked": TEXT,
        "steps": {**_TEXTS, "description": "ids of the rows that serve it"},
        "measure": {"type": "string", "enum": ["", *MEASURES], "description": "empty where no figure shows it"},
        "goal": {"type": "string", "enum": list(GOALS)},
        "value": either({"type": "number"}, TEXT, NULL, about="only for equals, at_most, at_least"),
    })


def _heading() -> dict[str, Schema]:
    return {
        "id": {**TEXT, "description": "s1, s2, ...; other rows name it as in {{s1.track_id}}"},
        "title": TEXT,
        "group": TEXT,
        "why": TEXT,
    }


def _conduct(*, nullable: bool) -> dict[str, Schema]:
    right = either({"type": "number"}, TEXT)
    when = closed({"left": TEXT, "op": {"type": "string", "enum": _OPERATORS}, "right": right})
    loop = "a reference to a list to go through, as in {{s3.items}}"
    if nullable:
        return {
            "for_each": either(TEXT, NULL, about=loop),
            "when": either(when, NULL),
            "on_error": either({"type": "string", "enum": ["stop", "continue"]}, NULL),
            "after": either(_TEXTS, NULL),
        }
    return {
        "for_each": {**TEXT, "description": f"empty, or {loop}"},
        "when": either(when, NULL),
        "on_error": {"type": "string", "enum": ["default", "stop", "continue"]},
        "after": _TEXTS,
    }


def _any_value(tools: Sequence[ToolSpec]) -> Schema:
    """A value of any input of any of these tools; lists of objects are told apart by their first field."""
    lists: dict[str, Schema] = {}
    for tool in tools:
        for schema in tool.inputs.get("properties", {}).values():
            for form in _list_forms(schema):
                lists.setdefault(_first_field(form), form)
    return either(TEXT, {"type": "number"}, {"type": "boolean"}, *lists.values())


def _list_forms(schema: Schema) -> Iterator[Schema]:
    for choice in schema.get("anyOf", (schema,)):
        if choice.get("type") == "array" or is_open(choice):
            form = strict(choice, references=False)
            form.pop("description", None)
            yield form


def _first_field(form: Schema) -> str:
    return next(iter(form["items"].get("properties", {})), "")


def _ordinary(schema: Json) -> Json:
    """Without the words that only this program knows."""
    if isinstance(schema, list):
        return [_ordinary(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        name: {field: _ordinary(inner) for field, inner in value.items()} if name == "properties" else _ordinary(value)
        for name, value in schema.items() if name not in ("unit", "title")
    }
    if schema.get("unit") == UNIT_BEATS:
        kept["description"] = "; ".join(str(part) for part in (kept.get("description"), "in beats") if part)
    return kept


def _line(tool: ToolSpec) -> str:
    inputs = ", ".join(_field(name, schema, tool.inputs) for name, schema in tool.inputs.get("properties", {}).items())
    made = ", ".join(tool.result.get("properties", {}))
    gives = f" -> {made}" if made else ""
    return f"{tool.name}({inputs}){gives} — {tool.about}"


def _field(name: str, schema: Schema, owner: Schema) -> str:
    default = schema.get("default")
    optional = "" if name in owner.get("required", ()) else "?"
    given = f" = {plain(default)}" if default not in (None, [], {}, ()) else ""
    return f"{name}{optional}: {_form(schema)}{given}"


def _form(schema: Schema) -> str:
    if "anyOf" in schema:
        return " | ".join(_form(choice) for choice in schema["anyOf"] if choice.get("type") != "null")
    if "enum" in schema:
        return "|".join(str(choice) for choice in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        items = schema.get("items")
        return f"[{_form(items) if isinstance(items, dict) else ''}]"
    if is_open(schema):
        return "{name: number}"
    if kind == "object":
        fields = ", ".join(_field(name, inner, schema) for name, inner in schema.get("properties", {}).items())
        return "{" + fields + "}"
    unit = "beats" if schema.get("unit") == UNIT_BEATS else ""
    if kind in ("number", "integer"):
        span = span_of(schema) if not unit else ""
        return unit or span or str(kind)
    return "true|false" if kind == "boolean" else "text"

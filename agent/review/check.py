"""What forbids an approval: errors that can be seen in the plan itself, each with its row and its fix."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from agent.plan.document import Finding
from agent.plan.errors import PlanError
from agent.plan.inputs import Schema, read_inputs
from agent.plan.order import dependencies
from agent.plan.plan import Json, Step
from agent.plan.references import ITEM, Reference, parse_reference, references_of
from agent.plan.tool import ToolSpec
from agent.services.registry import unknown_tool

_SECRET_KEYS = re.compile(
    r"pass(word|wd|phrase)|secret|api_?key|(access|auth|bearer)_?token|^token$|private_?key", re.IGNORECASE
)
_SECRET_VALUES = re.compile(
    r"\b(sk-(ant-)?[A-Za-z0-9_-]{16,}|ghp_[A-Za-z0-9]{20,}|AKIA[A-Z0-9]{12,})\b|BEGIN [A-Z ]*PRIVATE KEY"
)
_ALONE = ("restore", "branch")
"""Tools that replace the working song: each may only be the single song-changing row of a plan."""


def check(steps: tuple[Step, ...], tools: Mapping[str, ToolSpec]) -> tuple[Finding, ...]:
    """Every error of the plan's form, in the order of its rows; none means that it can be approved."""
    findings = [*_ids(steps)]
    for number, step in enumerate(steps, 1):
        findings += _row(number, step, tools)
    if not findings:
        findings += _order(steps, tools)
        findings += _results(steps, tools)
        findings += _alone(steps, tools)
    return tuple(findings)


def error(step: str, rule: str, problem: PlanError) -> Finding:
    """A problem as a finding."""
    message = f"{problem.what}: {problem.why}" if problem.why else problem.what
    return Finding(step, rule, message, problem.fix, "error")


def _ids(steps: tuple[Step, ...]) -> Iterator[Finding]:
    for step_id, count in Counter(step.id for step in steps).items():
        if count > 1 or step_id == ITEM:
            message = f"{count} rows are called {step_id!r}"
            yield Finding(step_id, "step id", message, "give each row its own id", "error")


def _row(number: int, step: Step, tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    where = f"row {number} ({step.id})"
    secret = _secret(step.inputs)
    if secret:
        yield Finding(
            step.id, "secret", f"{where} holds a secret in {secret}", "name a stored credential instead", "error"
        )
    tool = tools.get(step.tool)
    if tool is None:
        yield error(step.id, "unknown tool", unknown_tool(step.tool, tools))
        return
    if step.by == "model" and not step.goal:
        yield Finding(step.id, "goal", f"{where} is left to a model without a goal", "write its goal", "error")
    try:
        list(references_of(step))
        if step.by == "exact":
            read_inputs(tool.inputs, step.inputs, open_references=True)
    except PlanError as problem:
        yield error(step.id, "inputs", type(problem)(f"{where}: {problem.what}", why=problem.why, fix=problem.fix))


def _order(steps: tuple[Step, ...], tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    try:
        dependencies(steps, tools)
    except PlanError as problem:
        yield error(steps[0].id, "order", problem)


def _results(steps: tuple[Step, ...], tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    by_id = {step.id: step for step in steps}
    for number, step in enumerate(steps, 1):
        for reference in references_of(step):
            schema = _result_of(reference, step, by_id, tools)
            missing = None if schema is None else _missing(schema, reference)
            if missing:
                yield Finding(
                    step.id, "reference", f"row {number} ({step.id}): {reference} has no {missing}",
                    "use a field of that row's result", "error",
                )


def _result_of(
    reference: Reference, step: Step, by_id: Mapping[str, Step], tools: Mapping[str, ToolSpec]
) -> Schema | None:
    if reference.source != ITEM:
        source = by_id[reference.source]
        schema = tools[source.tool].result
        looped = {"type": "object", "properties": {"items": {"type": "array", "items": schema}}}
        return looped if source.for_each is not None else schema
    if step.for_each is None:
        return None
    loop = parse_reference(step.for_each)
    if loop.source == ITEM:
        return None
    schema = _result_of(loop, step, by_id, tools)
    for part in loop.path:
        schema = None if schema is None else _inner(schema, part)
    return None if schema is None else schema.get("items")


def _missing(schema: Schema, reference: Reference) -> str:
    current: Schema | None = schema
    for part in reference.path:
        if current is None:
            return ""
        fields: dict[str, Schema] = current.get("properties", {})
        closed = "properties" in current and current.get("additionalProperties", False) is False
        if isinstance(part, str) and closed and part not in fields:
            return f"{part!r}: that row gives {', '.join(fields) or 'nothing'}"
        current = _inner(current, part)
    return ""


def _inner(schema: Schema, part: str | int) -> Any:
    return schema.get("items") if isinstance(part, int) else schema.get("properties", {}).get(part)


def _alone(steps: tuple[Step, ...], tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    changing = [step for step in steps if tools[step.tool].changes_song]
    for step in changing:
        if step.tool in _ALONE and len(changing) > 1:
            yield Finding(
                step.id, "alone", f"{step.tool} must be the only row that changes the song",
                "put it into a plan of its own", "error",
            )


def _secret(value: Json, path: str = "inputs") -> str:
    if isinstance(value, dict):
        for name, inner in value.items():
            here = f"{path}.{name}"
            if isinstance(inner, str) and inner and _SECRET_KEYS.search(str(name)) and "{{" not in inner:
                return here
            found = _secret(inner, here)
            if found:
                return found
    elif isinstance(value, list):
        for inner in value:
            found = _secret(inner, path)
            if found:
                return found
    elif isinstance(value, str) and _SECRET_VALUES.search(value):
        return path
    return ""

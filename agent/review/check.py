"""What forbids an approval: errors that can be seen in the plan itself, each with its row and its fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from agent.plan.document import Finding
from agent.plan.errors import PlanError
from agent.plan.inputs import Schema
from agent.plan.order import BadOrder, dependencies
from agent.plan.plan import Step
from agent.plan.references import ITEM, Reference, parse_reference, references_of
from agent.plan.row_inputs import RowInputs
from agent.plan.tool import ToolSpec
from agent.plan.watch import UNWATCHED, Watch
from agent.review.goals import goal_fault, refuse_other_tools
from agent.review.rule import Rule
from agent.review.secrets import secret_in
from agent.services.registry import unknown_tool

_KINDS = {"array": "a list", "object": "an object"}


def check(
    steps: tuple[Step, ...], tools: Mapping[str, ToolSpec], watch: Watch = UNWATCHED, inputs: RowInputs | None = None
) -> tuple[Finding, ...]:
    """Every error of the plan's form, in the order of its rows; none means that it can be approved. `watch` is looked
    at before each row.

    The inputs as they were read are left in `inputs`, so that they need not be read again for the hash.
    """
    findings = [*_ids(steps)]
    read = inputs or RowInputs()
    for number, step in enumerate(watch.each(steps), 1):
        findings += _row(number, step, tools, watch, read)
    if not findings:
        findings += _order(steps, tools)
        findings += _alone(steps, tools)
    if not findings:
        findings += _results(steps, tools)
    return tuple(findings)


def _error(step: str, rule: Rule, problem: PlanError) -> Finding:
    """A problem as a finding."""
    message = f"{problem.what}: {problem.why}" if problem.why else problem.what
    return Finding(step, rule, message, problem.advice, "error")


def _of_row(where: str, problem: PlanError) -> PlanError:
    """The same problem with its row."""
    return type(problem)(f"{where}: {problem.what}", why=problem.why, fix=problem.fix)


def _ids(steps: tuple[Step, ...]) -> Iterator[Finding]:
    for step_id, count in Counter(step.id for step in steps).items():
        if count > 1 or step_id == ITEM:
            message = f"{count} rows are called {step_id!r}"
            yield Finding(step_id, Rule.STEP_ID, message, "give each row its own id", "error")


def _row(
    number: int, step: Step, tools: Mapping[str, ToolSpec], watch: Watch, inputs: RowInputs
) -> Iterator[Finding]:
    where = f"row {number} ({step.id})"
    secret = secret_in(step)
    if secret:
        yield Finding(
            step.id, Rule.SECRET, f"{where} holds a secret in {secret}", "name a stored credential instead", "error"
        )
        # What else is wrong with the row might be told with the secret in it.
        return
    tool = tools.get(step.tool)
    if tool is None:
        yield _error(step.id, Rule.UNKNOWN_TOOL, _of_row(where, unknown_tool(step.tool, tools)))
        return
    if fault := goal_fault(where, step):
        yield fault
        return
    try:
        list(references_of(step))
        watch.look()
        inputs.of(step, tool, watch)
        refuse_other_tools(step, tools)
    except PlanError as problem:
        yield _error(step.id, Rule.INPUTS, _of_row(where, problem))


def _order(steps: tuple[Step, ...], tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    try:
        dependencies(steps, tools)
    except BadOrder as problem:
        yield _error(problem.step, Rule.ORDER, problem)


def _results(steps: tuple[Step, ...], tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    by_id = {step.id: step for step in steps}
    for number, step in enumerate(steps, 1):
        for reference in references_of(step):
            schema = _result_of(reference, step, by_id, tools)
            missing = None if schema is None else _missing(schema, reference)
            if missing:
                yield Finding(
                    step.id, Rule.REFERENCE, f"row {number} ({step.id}): {reference} has no {missing}",
                    "use a field of that row's result", "error",
                )
        loop = _looped(step, by_id, tools)
        if loop is not None and loop.get("type", "array") != "array":
            yield Finding(
                step.id, Rule.LOOP, f"row {number} ({step.id}) goes through {step.for_each}, which is no list",
                "name a list of an earlier result", "error",
            )


def _result_of(
    reference: Reference, step: Step, by_id: Mapping[str, Step], tools: Mapping[str, ToolSpec]
) -> Schema | None:
    if reference.source != ITEM:
        source = by_id[reference.source]
        schema = tools[source.tool].result
        looped = {"type": "object", "properties": {"items": {"type": "array", "items": schema}}}
        return looped if source.for_each is not None else schema
    loop = _looped(step, by_id, tools)
    return None if loop is None else _inner(loop, 0)


def _looped(step: Step, by_id: Mapping[str, Step], tools: Mapping[str, ToolSpec]) -> Schema | None:
    """The schema of the list that a step goes through, as far as it is known."""
    if step.for_each is None:
        return None
    loop = parse_reference(step.for_each)
    schema = _result_of(loop, step, by_id, tools)
    for part in loop.path:
        schema = None if schema is None else _inner(schema, part)
    return schema


def _missing(schema: Schema, reference: Reference) -> str:
    current: Schema | None = schema
    for part in reference.path:
        if current is None:
            return ""
        kind = current.get("type")
        if isinstance(kind, str) and kind != ("array" if isinstance(part, int) else "object"):
            return f"{part!r}: there is {_KINDS.get(kind, 'a plain value')}"
        fields: dict[str, Schema] = current.get("properties", {})
        closed = "properties" in current and current.get("additionalProperties", False) is False
        if isinstance(part, str) and closed and part not in fields:
            return f"{part!r}: that row gives {', '.join(fields) or 'nothing'}"
        current = _inner(current, part)
    return ""


def _inner(schema: Schema, part: str | int) -> Schema | None:
    if isinstance(part, str):
        inner = schema.get("properties", {}).get(part)
    else:
        first = schema.get("prefixItems", ())
        inner = first[part] if part < len(first) else schema.get("items")
    return inner if isinstance(inner, dict) else None


def _alone(steps: tuple[Step, ...], tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    changing = [step for step in steps if tools[step.tool].changes_song]
    for step in changing:
        if tools[step.tool].replaces_song and len(changing) > 1:
            yield Finding(
                step.id, Rule.ALONE, f"{step.tool} must be the only row that changes the song",
                "put it into a plan of its own", "error",
            )

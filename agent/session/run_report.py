"""The report of a run: what its rows found out, as tables, text and bars, made from their results alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Json, Step
from agent.plan.references import ITEM, references_of
from agent.plan.tool import ToolSpec
from agent.session.ports import RowReport

MAX_ROWS = 1_000
"""Most rows of one table; the number of further ones is reported."""
_STATE = "state"
_SHORT = 200
"""Characters of a value up to which it is repeated in every row of a table."""
_FEW = 8
"""Number of values of a list up to which each is listed."""
_BAD = (StepState.FAILED, StepState.PARTIAL, StepState.NEEDS_REVIEW)


class ReportColumn(Struct, frozen=True):
    """A column: the name of a result's field, and the unit of its numbers ("bytes", "seconds", "share", or empty)."""

    name: str
    unit: str = ""


class BarChart(Struct, frozen=True):
    """The names of the two columns of a bar chart: `label` has the names of its bars, `value` their lengths (0 or
    more)."""

    label: str
    value: str


class ReportSection(Struct, frozen=True):
    """What one row found out: a text, or a table with a cell for each column, None if not known. `bars` names the
    columns to be drawn as a bar chart, `left_out` counts rows that the table does not show."""

    step: str
    title: str
    text: str = ""
    columns: tuple[ReportColumn, ...] = ()
    rows: tuple[tuple[Json, ...], ...] = ()
    bars: BarChart | None = None
    left_out: int = 0


class RunReport(Struct, frozen=True):
    """All sections, in the order of the plan."""

    sections: tuple[ReportSection, ...]


def run_report(
    plan: Plan, rows: Sequence[RowReport], items: Sequence[RowReport], tools: Mapping[str, ToolSpec]
) -> RunReport | None:
    """The report of a run that changes no song; None for any other, and if nothing was found out.

    It contains the rows whose results no other row reads, and those that failed. A failed item of a fan-out is a row of
    the table with its inputs and its reason, so that a table is never silently incomplete."""
    if any(step.by == "model" or _changes_song(step, tools) for step in plan.steps):
        return None
    read = {reference.source for step in plan.steps for reference in references_of(step)} - {ITEM}
    known = {row.step: row for row in rows}
    sections = tuple([
        section
        for step in plan.steps
        if step.id in known and (step.id not in read or known[step.id].state in _BAD)
        for section in _sections(
            step, known[step.id], [item for item in items if item.step == step.id], tools.get(step.tool)
        )
    ])
    return RunReport(sections) if sections else None


def _changes_song(step: Step, tools: Mapping[str, ToolSpec]) -> bool:
    return step.tool in tools and tools[step.tool].changes_song


def _sections(
    step: Step, row: RowReport, items: Sequence[RowReport], tool: ToolSpec | None
) -> Iterator[ReportSection]:
    """One section for a row; where one answer holds lists beside other facts, one for the facts and one for each."""
    title = step.title or (tool.about.split(". ")[0].rstrip(".") if tool is not None else step.tool)
    tables: dict[str, list[dict[str, Json]]]
    if step.for_each is not None and items:
        tables = {"": [record for item in sorted(items, key=lambda one: one.item) for record in _records_of(item)]}
    elif row.state in (StepState.DONE, StepState.PARTIAL):
        tables = _tables(row.result)
    else:
        if row.reason:
            yield ReportSection(step.id, title, text=row.reason)
        return
    told = {name: records for name, records in tables.items() if records}
    if not told:
        yield ReportSection(step.id, title, text=row.reason or "Nothing was found.")
    units = _units(tool)
    for name, records in told.items():
        if len(records) == 1 and len(records[0]) == 1:
            [(field, value)] = records[0].items()
            yield ReportSection(step.id, title, text=f"{_words(field)}: {value}" if len(told) > 1 else str(value))
        else:
            table_title = f"{title}: {_words(name)}" if name and len(told) > 1 else title
            yield _table(step.id, table_title, records, units)


def _table(step: str, title: str, records: Sequence[dict[str, Json]], units: Mapping[str, str]) -> ReportSection:
    names = list(dict.fromkeys(name for record in records for name in record))
    # What went wrong stands behind what was found out.
    names.sort(key=lambda name: name == _STATE)
    columns = tuple(ReportColumn(name, units.get(name, "")) for name in names)
    table = tuple(tuple(record.get(name) for name in names) for record in records[:MAX_ROWS])
    return ReportSection(
        step, title, columns=columns, rows=table, bars=_bars(columns, table), left_out=len(records) - len(table)
    )


def _words(name: str) -> str:
    return name.replace("_", " ").replace(".", " ")


def _tables(result: Json) -> dict[str, list[dict[str, Json]]]:
    """One answer as tables: its facts, under no name, and each list of objects, or its only list, under its own."""
    if not isinstance(result, dict):
        return {"": _records(result)}
    fields, lists, main = _parts(result)
    named = [name for name, values in lists.items() if not all(map(_is_plain, values))] or [main] * (main in lists)
    tables = {name: [_named(record, name.rpartition(".")[2]) for record in _records(lists[name])] for name in named}
    found = any(tables.values())
    facts = {name: value for name, value in fields.items() if not found or _is_short(value)}
    few = {name: _in_few(values) for name, values in lists.items() if name not in tables or not tables[name]}
    beside = facts | few
    # "Left out 0" and the like say nothing where there is a table.
    told = any(value not in (None, "", 0) for value in beside.values()) if found else bool(facts)
    return {"": [beside] if told else [], **tables}


def _records_of(item: RowReport) -> Iterator[dict[str, Json]]:
    if item.state is StepState.DONE:
        yield from _records(item.result)
    else:
        inputs = {name: value for name, value in item.inputs.items() if _is_plain(value)}
        yield {**inputs, _STATE: f"{item.state.value.replace('_', ' ')}: {item.reason}"}


def _records(result: Json) -> list[dict[str, Json]]:
    """A result as records of plain values. Its longest list of objects, or its only list, gives a record for each value
    of it, with what stands beside it; other lists are told in few words."""
    if isinstance(result, list | tuple):
        return [record for one in result for record in _records_within(one)]
    if not isinstance(result, dict):
        return [] if result is None else [{"value": result}]
    return _spread(*_parts(result))


def _records_within(value: Json) -> list[dict[str, Json]]:
    """An element of a list as records: only objects in it make records of their own, plain lists are told in few words.
    """
    if isinstance(value, list | tuple) and all(map(_is_plain, value)):
        return [{"value": _in_few(value)}] if value else []
    if not isinstance(value, dict):
        return _records(value)
    plain, lists, main = _parts(value)
    return _spread(plain, lists, "" if main in lists and all(map(_is_plain, lists[main])) else main)


def _spread(plain: dict[str, Json], lists: dict[str, list[Json]], main: str) -> list[dict[str, Json]]:
    """A record for each value of the main list, with what stands beside it; one record where there is none."""
    beside = {**plain, **{name: _in_few(values) for name, values in lists.items() if name != main}}
    found = _records(lists[main]) if main in lists else []
    if not found:
        return [beside] if beside else []
    short = {name: value for name, value in beside.items() if _is_short(value)}
    if told := _same_of_each(found, short):
        return [{**beside, main: told}]
    return [{**short, **_apart(_named(record, main.rpartition(".")[2]), short, main)} for record in found]


def _same_of_each(records: Sequence[dict[str, Json]], beside: Mapping[str, Json]) -> str:
    """The names in a list that tells no more than more of what stands beside it; empty for any other list."""
    facts = {field for record in records for field, value in record.items() if not isinstance(value, str)}
    names = [next((value for value in record.values() if isinstance(value, str)), "") for record in records]
    return _in_few(names) if facts and facts <= beside.keys() and all(names) else ""


def _apart(record: dict[str, Json], beside: Mapping[str, Json], name: str) -> dict[str, Json]:
    """A record of a list whose fields are called otherwise than those beside the list."""
    return {f"{name}.{field}" if field in beside else field: value for field, value in record.items()}


def _parts(result: dict[str, Json]) -> tuple[dict[str, Json], dict[str, list[Json]], str]:
    """The plain values of a result, its lists, and the name of its longest list of objects or only list, else ""."""
    fields = dict(_flat(result))
    plain = {name: value for name, value in fields.items() if _is_plain(value)}
    lists = {name: value for name, value in fields.items() if name not in plain}
    tables = [name for name, values in lists.items() if not all(map(_is_plain, values))]
    only = next(iter(lists)) if len(lists) == 1 else ""
    return plain, lists, max(tables, key=lambda name: len(lists[name])) if tables else only


def _is_short(value: Json) -> bool:
    return value != "" and len(str(value)) <= _SHORT


def _in_few(values: Sequence[Json]) -> str:
    few = len(values) <= _FEW and all(map(_is_plain, values))
    return ", ".join(map(str, values)) if few else f"{len(values)} values"


def _named(record: dict[str, Json], name: str) -> dict[str, Json]:
    return {name if field == "value" else field: value for field, value in record.items()}


def _flat(result: dict[str, Json], before: str = "") -> Iterator[tuple[str, Json]]:
    for name, value in result.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _is_plain(value: Json) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _units(tool: ToolSpec | None) -> dict[str, str]:
    """The units that the tool's result schema gives to its fields, wherever they stand in it."""
    found: dict[str, str] = {}
    left: list[Json] = [] if tool is None else [tool.result]
    while left:
        schema = left.pop()
        if isinstance(schema, list):
            left += schema
        elif isinstance(schema, dict):
            for name, inner in schema.get("properties", {}).items():
                if isinstance(inner, dict) and isinstance(inner.get("unit"), str):
                    found.setdefault(name, inner["unit"])
            left += [inner for inner in schema.values() if isinstance(inner, dict | list)]
    return found


def _bars(columns: Sequence[ReportColumn], rows: Sequence[tuple[Json, ...]]) -> BarChart | None:
    """The first measured column against the first text, where there are two or more bars to compare."""
    label = next((place for place, _ in enumerate(columns) if _all(rows, place, str)), None)
    measured = [place for place, column in enumerate(columns) if column.unit and _all(rows, place, int | float)]
    if label is None or not measured or len(rows) < 2:
        return None
    return BarChart(columns[label].name, columns[measured[0]].name)


def _all(rows: Sequence[tuple[Json, ...]], place: int, kind: type | object) -> bool:
    """Whether a column holds values of one kind and nothing else but gaps; numbers are not below zero."""
    values = [row[place] for row in rows if row[place] is not None]
    fits = all(isinstance(value, kind) and not isinstance(value, bool) for value in values)  # type: ignore[arg-type]
    return bool(values) and fits and (kind is str or min(values) >= 0)

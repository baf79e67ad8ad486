"""What is other in two tables of the plan, so that only that is told of."""

from __future__ import annotations

from app.desktop.table.plan_rows import PlanRow, PlanTable


def shape(table: PlanTable) -> tuple[object, ...]:
    """What two tables of the same rows have in common."""
    return (table.run, *((group.name, *(row.id for row in group.rows)) for group in table.groups))


def alike(one: PlanRow, other: PlanRow) -> bool:
    """Whether two rows of one step look the same; facts of the same plan are the same object."""
    if one is other:
        return True
    return one.facts is other.facts and (
        (one.standing, one.approved, one.edited, one.findings, one.was, one.of)
        == (other.standing, other.approved, other.edited, other.findings, other.was, other.of)
    )


def runs(changed: list[bool]) -> list[tuple[int, int]]:
    """First and last of each stretch that changed."""
    found: list[tuple[int, int]] = []
    for place, one in enumerate(changed):
        if one and found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        elif one:
            found.append((place, place))
    return found

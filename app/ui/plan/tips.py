"""What a row says in its tooltip and to a screen reader."""

from __future__ import annotations

from html import escape

from app.desktop.figures import counted, lasted
from app.desktop.goals import acceptance_words
from app.desktop.plan_rows import PlanGroup, PlanRow
from app.desktop.row_states import Mark

_ENDED = (Mark.DONE, Mark.READY, Mark.SKIPPED, Mark.NOT_RUN, Mark.ROLLED_BACK, Mark.REJECTED)


def row_tip(row: PlanRow) -> str:
    """All that is known of a row. Texts of others are escaped, because Qt reads tooltips as rich text."""
    facts, standing = row.facts, row.standing
    said = [f"Step {facts.number}. {facts.sentence}", facts.effect, facts.step.why and f"Why: {facts.step.why}"]
    said += [f"{'Cannot run' if one.level == 'error' else 'Check'}: {one.message}" for one in row.findings]
    said += [facts.limits, acceptance_words(facts.step)] if facts.limits and standing.mark not in _ENDED else []
    said += [f"To do: {one.fix}" for one in row.findings if one.fix]
    if standing.mark not in (Mark.CHECK, Mark.ERROR):
        said.append(f"{standing.text}: {standing.reason}" if standing.reason else standing.text)
    if row.was and standing.mark is not Mark.CHANGED:
        said.append("New, since you asked again" if row.was == "new" else f"Changed: {row.was}")
    if row.edited and standing.mark is not Mark.EDITED:
        said.append("Edited by you")
    if standing.seconds is not None:
        said.append(f"Took {lasted(standing.seconds)}")
    said.append(f"Service: {facts.service} · Depends on: {facts.depends_on} · Tool: {facts.step.tool}")
    return plain_tip([text for text in said if text])


def group_tip(group: PlanGroup) -> str:
    """The group's name and count."""
    return plain_tip([group.name, group.summary])


def plain_tip(lines: list[str]) -> str:
    """Lines of plain text as a tooltip."""
    return f"<p>{'<br>'.join(escape(line) for line in lines)}</p>"


def spoken(item: PlanRow | PlanGroup, check: bool) -> str:
    """What a screen reader says of a cell."""
    if isinstance(item, PlanGroup):
        return f"Approve all of {item.name}" if check else f"{item.name}, {item.summary}"
    facts = item.facts
    if check:
        return f"Approve step {facts.number}"
    track = f", {facts.target.name}" if facts.target.name != "–" else ""
    return f"Step {facts.number}, {facts.sentence}{track}, {item.standing.text}"


def group_words(group: PlanGroup) -> str:
    """The words behind a group's name."""
    return counted(len(group.rows), "step")

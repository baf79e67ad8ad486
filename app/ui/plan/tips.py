"""What a row says in its tooltip and to a screen reader."""

from __future__ import annotations

from html import escape
from time import monotonic

from agent.plan.document import Finding
from agent.review.rule import Rule
from app.desktop.figures import clock, counted, lasted
from app.desktop.goals import acceptance_words
from app.desktop.plan_rows import PlanGroup, PlanRow
from app.desktop.row_states import Mark

_ENDED = (Mark.DONE, Mark.READY, Mark.SKIPPED, Mark.NOT_RUN, Mark.ROLLED_BACK, Mark.REJECTED)


def row_tip(row: PlanRow) -> str:
    """All that is known of a row. Texts of others are escaped, because Qt reads tooltips as rich text."""
    facts, standing = row.facts, row.standing
    said = [f"Step {facts.number}. {facts.sentence}", facts.effect, facts.step.why and f"Why: {facts.step.why}"]
    said += [f"Leaves the song: {facts.outside}"] if facts.outside else []
    said += [_found(one) for one in row.findings]
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
    if standing.ends is not None and standing.ends - monotonic() >= 1:
        said.append(f"About {clock(standing.ends - monotonic())} left")
    said.append(f"Service: {facts.service} · Depends on: {facts.depends_on} · Tool: {facts.step.tool}")
    return plain_tip([text for text in said if text])


def _found(finding: Finding) -> str:
    """A mark on a row; that the world answers it later is no reproach."""
    if finding.level == "error":
        return f"Cannot run: {finding.message}"
    return finding.message if finding.rule == Rule.KNOWN_LATER else f"Check: {finding.message}"


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
    outside = f", leaves the song through {facts.outside}" if facts.outside else ""
    return f"Step {facts.number}, {facts.sentence}{track}{outside}, {item.standing.text}"


def group_words(group: PlanGroup) -> str:
    """The words behind a group's name."""
    return counted(len(group.rows), "step")

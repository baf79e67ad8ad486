"""What the cells of the plan tell: words, checks, tooltips, and what a screen reader says."""

from __future__ import annotations

from html import escape
from time import monotonic

from PySide6.QtCore import Qt

from agent.plan.document import Finding
from agent.review.rule import Rule
from app.desktop.plan.goals import acceptance_words
from app.desktop.plan.row_states import RowMark
from app.desktop.plan.rows import PlanGroup, PlanItem, PlanRow, again_words
from app.desktop.texts.figures import clock, lasted
from app.ui.plan.columns import PlanColumn
from app.words import tr, trn

_ENDED = (RowMark.DONE, RowMark.READY, RowMark.SKIPPED, RowMark.NOT_RUN, RowMark.ROLLED_BACK, RowMark.REJECTED)


def row_tip(row: PlanRow) -> str:
    """All that is known of a row. Texts of others are escaped, because Qt reads tooltips as rich text."""
    facts, standing = row.facts, row.standing
    said = [
        tr("Step {number}. {sentence}", number=facts.number, sentence=facts.sentence), facts.effect,
        facts.step.why and tr("Why: {why}", why=facts.step.why),
    ]
    said += [tr("Leaves the song: {service}", service=facts.outside)] if facts.outside else []
    said += [_found(one) for one in row.findings]
    said += [facts.limits, acceptance_words(facts.step)] if facts.limits and standing.mark not in _ENDED else []
    said += [tr("To do: {fix}", fix=one.fix) for one in row.findings if one.fix]
    if standing.mark not in (RowMark.CHECK, RowMark.ERROR):
        said.append(f"{standing.text}: {standing.reason}" if standing.reason else standing.text)
    if row.was and standing.mark is not RowMark.CHANGED:
        said.append(tr("New, since you asked again") if row.was == "new" else tr("Changed: {what}", what=row.was))
    if row.edited and standing.mark is not RowMark.EDITED:
        said.append(tr("Edited by you"))
    if standing.seconds is not None:
        said.append(tr("Took {time}", time=lasted(standing.seconds)))
    if standing.ends is not None and standing.ends - monotonic() >= 1:
        said.append(tr("About {time} left", time=clock(standing.ends - monotonic())))
    said.append(tr(
        "Service: {service} · Depends on: {needs} · Tool: {tool}", service=facts.service, needs=facts.depends_on,
        tool=facts.step.tool,
    ))
    return lines_tip([text for text in said if text])


def item_tip(item: PlanItem) -> str:
    """All that is known of an item."""
    standing = item.standing
    said = [
        tr("Item {number} of {count}. {name}", number=item.place + 1, count=item.row.item_count, name=item.name),
        f"{standing.text}: {standing.reason}" if standing.reason else standing.text,
        tr("Took {time}", time=lasted(standing.seconds)) if standing.seconds is not None else "",
        again_words(item.row) if standing.mark.bad else "",
    ]
    return lines_tip([text for text in said if text])


def accessible_item_text(item: PlanItem) -> str:
    """What a screen reader says of an item."""
    standing = item.standing
    said = tr(
        "Item {number} of {count} of step {step}, {name}, {state}", number=item.place + 1, count=item.row.item_count,
        step=item.row.facts.number, name=item.words, state=standing.text,
    )
    return f"{said}: {standing.reason}" if standing.reason else said


def _found(finding: Finding) -> str:
    """A mark on a row; that the world answers it later is no reproach."""
    if finding.level == "error":
        return tr("Cannot run: {why}", why=finding.message)
    return finding.message if finding.rule == Rule.KNOWN_LATER else tr("Check: {what}", what=finding.message)


def group_tip(group: PlanGroup) -> str:
    """The group's name and count."""
    return lines_tip([group.name, group.summary])


def lines_tip(lines: list[str]) -> str:
    """Lines of plain text as a tooltip."""
    return f"<p>{'<br>'.join(escape(line) for line in lines)}</p>"


def accessible_text(item: PlanRow | PlanGroup, check: bool) -> str:
    """What a screen reader says of a cell."""
    if isinstance(item, PlanGroup):
        return tr("Approve all of {group}", group=item.name) if check else f"{item.name}, {item.summary}"
    facts = item.facts
    if check:
        return tr("Approve step {number}", number=facts.number)
    track = f", {facts.target.name}" if facts.target.name != "–" else ""
    outside = tr(", leaves the song through {service}", service=facts.outside) if facts.outside else ""
    said = tr("Step {number}, {sentence}", number=facts.number, sentence=facts.sentence)
    items = item.item_count
    listed = trn(", {count:,} item", ", {count:,} items", items) if items else ""
    return f"{said}{track}{outside}{listed}, {item.standing.text}"


def group_words(group: PlanGroup) -> str:
    """The words behind a group's name."""
    return trn("{count} step", "{count} steps", len(group.rows))


def told(item: PlanRow | PlanGroup | PlanItem, column: PlanColumn, role: int) -> object:
    """The answer of a cell to a role of Qt's; None for one that it knows nothing of."""
    if isinstance(item, PlanItem):
        return _item_data(item, column, role)
    if role == Qt.ItemDataRole.CheckStateRole:
        return _check(item) if column is PlanColumn.CHECK else None
    if role == Qt.ItemDataRole.TextAlignmentRole and column is PlanColumn.NUMBER:
        return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    if role == Qt.ItemDataRole.DisplayRole:
        return _words(item, column)
    if role == Qt.ItemDataRole.ToolTipRole:
        return row_tip(item) if isinstance(item, PlanRow) else group_tip(item)
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return accessible_text(item, column is PlanColumn.CHECK)
    return None


def _item_data(item: PlanItem, column: PlanColumn, role: int) -> object:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            shown = {PlanColumn.NUMBER: item.number, PlanColumn.STEP: item.words, PlanColumn.STATE: item.standing.text}
            return shown.get(column, "")
        case Qt.ItemDataRole.ToolTipRole:
            return item_tip(item)
        case Qt.ItemDataRole.AccessibleTextRole:
            return accessible_item_text(item)
    return None


def _words(item: PlanRow | PlanGroup, column: PlanColumn) -> str:
    if isinstance(item, PlanGroup):
        return item.name if column is PlanColumn.NUMBER else ""
    facts = item.facts
    match column:
        case PlanColumn.NUMBER:
            return str(facts.number)
        case PlanColumn.STEP:
            return facts.sentence
        case PlanColumn.TARGET:
            return facts.target.name
        case PlanColumn.SERVICE:
            return facts.service
        case PlanColumn.DEPENDS:
            return facts.depends_on
        case PlanColumn.STATE:
            return item.standing.text
    return ""


def _check(item: PlanRow | PlanGroup) -> Qt.CheckState:
    if item.approved is None:
        return Qt.CheckState.PartiallyChecked
    return Qt.CheckState.Checked if item.approved else Qt.CheckState.Unchecked

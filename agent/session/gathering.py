"""Edits that a row has gathered and that wait for a person: kept in the row's result, bound when they are approved."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent.message import msg
from agent.plan.ledger import StepState
from agent.plan.plan import Json
from agent.services.goal_service import GoalResult
from agent.session.ports import RowReport
from agent.session.run_state import RunError
from agent.song.edits import Edit

_GATHERED, _APPROVED = "gathered", "approved"


class GatheredApproval(Struct, frozen=True):
    """Permission to commit exactly these edits (`edits`: the SHA-256 of their JSON) on exactly the song of this
    `revision`."""

    edits: str
    revision: str


def waiting_result(result: GoalResult, edits: Sequence[Edit]) -> Json:
    """The result, as JSON, of a row whose edits wait for approval; it contains the edits."""
    return {**msgspec.to_builtins(result), _GATHERED: msgspec.to_builtins(edits)}


def done_result(result: Json) -> Json:
    """The result of such a row once its edits are committed: without the edits and their approval."""
    return {name: value for name, value in result.items() if name not in (_GATHERED, _APPROVED)}


def gathered_edits(report: RowReport) -> tuple[Edit, ...]:
    """The edits of a row that wait for approval, empty if none do."""
    if report.state not in (StepState.NEEDS_REVIEW, StepState.RUNNING) or not isinstance(report.result, dict):
        return ()
    return msgspec.convert(report.result.get(_GATHERED, []), tuple[Edit, ...])


def digest_of(edits: Sequence[Edit]) -> str:
    """SHA-256 of the edits' JSON."""
    return hashlib.sha256(msgspec.json.encode(edits, order="sorted")).hexdigest()


def approved(report: RowReport, revision: str) -> RowReport:
    """The report with its edits approved for the song of that revision. Raises `RunError` if none wait."""
    edits = gathered_edits(report)
    if not edits or report.state is not StepState.NEEDS_REVIEW:
        raise RunError(
            msg("row {step} has no edits that wait", step=report.step),
            why=msg("it is {value}", value=report.state.value),
        )
    given = GatheredApproval(digest_of(edits), revision)
    result = {**report.result, _APPROVED: msgspec.to_builtins(given)}
    return replace(report, state=StepState.RUNNING, reason="", result=result)


def approval_in(report: RowReport) -> GatheredApproval | None:
    """The approval in a row's result; None if there is none."""
    given = report.result.get(_APPROVED) if isinstance(report.result, dict) else None
    return None if given is None else msgspec.convert(given, GatheredApproval)

"""The JSON documents of the command line, field by field."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agent.chat.answer import Answer
from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.session.gathering import gathered_edits
from agent.session.ports import RowReport
from agent.song.song import Song
from agent.theory.description import Description
from agent.theory.gate import Flaw
from app.cli.output import Document
from app.storage.records import Run
from app.studio.doctor import Health
from app.studio.running.run_view import RunView


def health_shape(health: Health) -> Document:
    """The JSON document of `doctor`."""
    return {"ok": health.ok, "checks": msgspec.to_builtins(health.checks)}


def answer_shape(answer: Answer) -> Document:
    """The JSON document of `ask`, and of `plan` and `compose` for words that are no request."""
    return {
        "answer": answer.text, "facts": msgspec.to_builtins(answer.facts), "links": msgspec.to_builtins(answer.links),
    }


def plan_shape(plan: Plan) -> Document:
    """The JSON document of a plan, as it is written to a file."""
    shape: Document = msgspec.to_builtins(plan)
    return shape


def context_shape(song: Song) -> Document:
    """The field `musical_context`: the song as the planner saw it."""
    return {
        "key": str(song.key),
        "tempo": song.bpm,
        "sections": [
            {"name": section.name, "first_bar": song.bar_map.bar_at(section.start),
             "last_bar": song.bar_map.bar_at(section.end - 1)}
            for section in song.sections
        ],
        "tracks": [
            {"id": track.id, "name": track.name, "instrument": track.instrument, "clips": len(track.clips),
             "notes": track.note_count}
            for track in song.tracks
        ],
    }


def run_shape(view: RunView, before: Song) -> Document:
    """The JSON document of `run`, `compose` and `runs show`; `before` is the song before the run."""
    ledger, answer = view.ledger, view.answer
    return {
        "run": view.record.id,
        "project": view.record.project,
        "iteration": view.record.iteration,
        "state": view.state.value,
        "request": view.record.request,
        "reason": view.reason,
        "approved": ledger.approved if view.approval else 0,
        "done": ledger.done,
        "skipped": ledger.skipped,
        "failed": ledger.failed,
        "not_run": ledger.not_run,
        "needs_review": ledger.needs_review,
        "answer": answer.text if answer else "",
        "musical_context": context_shape(before),
        "actions_executed": [
            {"id": row.step, "tool": row.tool, "result": row.result}
            for row in view.rows
            if row.state is StepState.DONE
        ],
        "steps": [_step(row, view) for row in view.rows],
        "locks": msgspec.to_builtins(answer.locks) if answer else [],
        "fence": msgspec.to_builtins(answer.fence) if answer else None,
        "measured": [_measured(one) for one in msgspec.to_builtins(answer.measured)] if answer else [],
        "report": None if answer is None else msgspec.to_builtins(answer.report),
        "usage": dict(zip(("tokens", "cost"), view.used, strict=True)),
    }


def _step(row: RowReport, view: RunView) -> Document:
    shape: Document = {"id": row.step, "tool": row.tool, "state": row.state.value}
    if row.reason:
        shape["reason"] = row.reason
    if row.state in (StepState.FAILED, StepState.PARTIAL, StepState.NEEDS_REVIEW):
        shape["error"] = row.reason
    if gathered_edits(row):
        shape["waiting"] = [call for call in row.result["calls"] if call["ok"]]
    items = [one for one in view.items if one.step == row.step]
    if items:
        shape["items"] = [
            {"item": one.item, "state": one.state.value, "result": one.result, "reason": one.reason}
            for one in sorted(items, key=lambda one: one.item)
        ]
    return shape


def _measured(one: Document) -> Document:
    return {name: one[name] for name in ("asked", "steps", "before", "after", "met", "measure")}


def event_shapes(view: RunView) -> list[Document]:
    """The events of a run for `runs show --events`."""
    return [
        {"number": event.number, "kind": event.kind, "at": event.at, **msgspec.json.decode(event.body)}
        for event in view.events
    ]


def run_line(run: Run) -> Document:
    """One run in the JSON document of `runs`."""
    return {
        "id": run.id, "project": run.project, "state": run.state, "request": run.request,
        "iteration": run.iteration, "created": run.created, "updated": run.updated,
    }


def check_shape(source: Document, found: Sequence[Flaw], said: Sequence[Flaw], figures: Description) -> Document:
    """The JSON document of `check`; `source` names the file or the project, `found` are broken checks, `said` are
    remarks."""
    return {
        "ok": not found,
        **source,
        "findings": [_flaw(one) for one in found],
        "remarks": [_flaw(one) for one in said],
        "figures": {
            **msgspec.to_builtins(figures),
            "key": str(figures.key),
            "found_key": {"key": str(figures.found_key.key), "confidence": figures.found_key.confidence},
        },
    }


def _flaw(flaw: Flaw) -> Document:
    shape: Document = {"rule": flaw.rule, "where": flaw.where, "message": flaw.message}
    return shape if flaw.bar is None else {**shape, "bar": flaw.bar}

"""How far a plan goes: values of its steps between what is so now and what is proposed."""

from __future__ import annotations

from collections.abc import Mapping

from agent.plan.decision import Change
from agent.plan.plan import Inputs, Json, Step
from agent.review.preview import RowPreview
from agent.song import edits as e
from agent.song.errors import SongError
from app.i18n import tr
from app.viewmodels.plan.proposal import Proposal

WHOLE = 100
_REASON = "how far the plan goes: "
"""Begins the reason of changes that were made by the dial, so that it leaves those by hand alone."""
_SETTING = (e.SetTempo, e.SetLoudness, e.UpdateTrack, e.TransformClip, e.UpdateEffect)
"""Edits that may set a value."""


def percent_of(proposal: Proposal) -> int:
    """The position of the intensity dial, 0 to 100."""
    said = (one.reason.removeprefix(_REASON) for one in proposal.changes.values() if one.reason.startswith(_REASON))
    return next((int(share[:-1]) for share in said if share[:-1].isdigit()), WHOLE)


def scalable(proposal: Proposal) -> tuple[str, ...]:
    """Step ids of the rows that the dial scales: those that set a value and that nobody edited by hand."""
    return tuple(_scaled(proposal, 50))


def dialled(proposal: Proposal, percent: int) -> dict[str, Change]:
    """All changes of inputs, by step id, with the dial at `percent` (0 to 100): those made by hand, and those that the
    dial makes."""
    made = {} if percent >= WHOLE else _scaled(proposal, percent)
    changes = {step: Change(step, inputs, f"{_REASON}{percent}%") for step, inputs in made.items()}
    return {**_by_hand(proposal), **changes}


def dial_words(proposal: Proposal, reach: int) -> str:
    """What the dial does exactly, in words; `reach` is the number of rows that it scales."""
    if not reach:
        return tr("How far the plan goes. None of its steps sets a value that could go less far")
    return tr("How far the plan goes: {reach} of {count} steps set a value, which moves between now and what is "
              "proposed. All other steps stay as they are proposed", reach=reach, count=len(proposal.plan.steps))


def _by_hand(proposal: Proposal) -> dict[str, Change]:
    return {step: one for step, one in proposal.changes.items() if not one.reason.startswith(_REASON)}


def _scaled(proposal: Proposal, percent: int) -> dict[str, Inputs]:
    preview, kept = proposal.whole.preview, _by_hand(proposal)
    rows = {} if preview is None else {row.step: row for row in preview.rows}
    found: dict[str, Inputs] = {}
    for step in proposal.plan.steps:
        row = rows.get(step.id)
        if row is None or step.id in kept or step.for_each is not None or len(row.edits) != 1:
            continue
        if not isinstance(row.edits[0], _SETTING):
            continue
        inputs = _less(step, row, percent / WHOLE)
        if inputs and inputs != step.inputs:
            found[step.id] = inputs
    return found


def _less(step: Step, row: RowPreview, share: float) -> dict[str, Json]:
    """The inputs of a row that goes only so far; empty for one that sets no value."""
    inputs, before = step.inputs, _before(row)
    changed: dict[str, Json] = {
        name: _between(was, inputs[name], share, 2) for name, was in before.items() if _is_number(inputs.get(name))
    }
    params = inputs.get("params")
    if isinstance(params, dict) and isinstance(row.edits[0], e.UpdateEffect):
        known = _params(row, row.edits[0])
        changed["params"] = {
            name: _between(known[name], value, share, 4) if name in known and _is_number(value) else value
            for name, value in params.items()
        }
    return {**inputs, **changed} if changed else {}


def _before(row: RowPreview) -> Mapping[str, float]:
    """By input the value that stands for "as it is now"."""
    song = row.before
    match row.edits[0]:
        case e.SetTempo(at_beat=at):
            return {"bpm": song.tempo_map.bpm(at)}
        case e.SetLoudness():
            return {"target": song.loudness_target}
        case e.UpdateTrack(track_id=track_id):
            try:
                track = song.track(track_id)
            except SongError:
                return {}
            return {"volume_db": track.volume_db, "pan": track.pan}
        case e.TransformClip(operation="quantize"):
            return {"strength": 0.0}
        case e.TransformClip(operation="humanize"):
            return {"timing": 0.0}
        case e.TransformClip(operation="scale_velocity"):
            return {"factor": 1.0}
        case e.TransformClip(operation="thin"):
            return {"keep": 1.0}
    return {}


def _params(row: RowPreview, edit: e.UpdateEffect) -> dict[str, float]:
    try:
        _, effect = row.before.effect(edit.effect_id)
    except SongError:
        return {}
    return dict(effect.params)


def _between(was: float, value: Json, share: float, digits: int) -> float:
    return round(was + (float(value) - was) * share, digits)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)

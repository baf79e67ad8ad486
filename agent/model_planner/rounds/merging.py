"""Making one plan of the plans of several parts: ids apart, references along, one track of each name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from agent.model_planner.rounds.splitting import RequestPart
from agent.plan.plan import Ask, Draft, Json, Step

_REFERENCE = re.compile(r"(\{\{\s*)([a-z][a-z0-9_]{0,31})(?=[\s.\[}])")
_LONGEST = 32
_CHOSEN = ("volume_db", "pan", "color", "position", "mute")
"""Inputs of a track that two parts may set differently and still mean the same track."""


def renamed(steps: Sequence[Step], names: Mapping[str, str]) -> tuple[Step, ...]:
    """The rows with new ids (old to new in `names`), also where they are referred to."""
    return tuple(_renamed(step, names) for step in steps)


def prefixed_draft(draft: Draft, number: int) -> Draft:
    """The draft of part `number` (from 1) with ids that no other part has, also in its asks."""
    names = prefixed_ids([step.id for step in draft.steps], number)
    return replace(draft, steps=renamed(draft.steps, names), asks=_asks_renamed(draft.asks, names))


def prefixed_ids(ids: Iterable[str], number: int) -> dict[str, str]:
    """New ids (old to new) for the rows of part `number`, no two alike and none longer than allowed."""
    names: dict[str, str] = {}
    for step_id in ids:
        wanted = name = f"p{number}_{step_id}"[:_LONGEST]
        place = 2
        while name in names.values():
            name = f"{wanted[: _LONGEST - 5]}_{place}"
            place += 1
        names.setdefault(step_id, name)
    return names


def merged(parts: Sequence[RequestPart], drafts: Sequence[Draft]) -> Draft:
    """One draft of all parts in order, with a single track of each name; rows without a group get their part's
    title."""
    steps: list[Step] = []
    for part, draft in zip(parts, drafts, strict=True):
        steps += [step if step.group else replace(step, group=part.title) for step in draft.steps]
    rows, names, notes = _one_of_each_track(steps)
    asks = _asks_renamed([ask for draft in drafts for ask in draft.asks], names)
    return Draft(
        steps=rows,
        analysis=_joined(f"{part.title}: {draft.analysis}" for part, draft in _said(parts, drafts, "analysis")),
        musical_reasoning=_joined(
            f"{part.title}: {draft.musical_reasoning}" for part, draft in _said(parts, drafts, "musical_reasoning")
        ),
        understood=tuple(dict.fromkeys(one for draft in drafts for one in draft.understood)),
        ignored=tuple(dict.fromkeys(one for draft in drafts for one in draft.ignored)),
        asks=tuple(dict.fromkeys(asks)),
        normalised=(*(one for draft in drafts for one in draft.normalised), *notes),
        locks=tuple(dict.fromkeys(lock for draft in drafts for lock in draft.locks)),
    )


def _said(parts: Sequence[RequestPart], drafts: Sequence[Draft], field: str) -> list[tuple[RequestPart, Draft]]:
    return [(part, draft) for part, draft in zip(parts, drafts, strict=True) if getattr(draft, field)]


def _joined(sentences: Iterable[str]) -> str:
    return "\n".join(sentences)


def _asks_renamed(asks: Iterable[Ask], names: Mapping[str, str]) -> tuple[Ask, ...]:
    return tuple(
        replace(ask, steps=tuple(dict.fromkeys(names.get(one, one) for one in ask.steps))) for ask in asks
    )


def _one_of_each_track(steps: Sequence[Step]) -> tuple[tuple[Step, ...], dict[str, str], list[str]]:
    """The rows without the second row that creates a track of a name and instrument; what used it uses the first (by
    the new names of ids).

    Also without a second row that sets the same thing of the song to the same value.
    """
    first: dict[tuple[str, str], str] = {}
    names: dict[str, str] = {}
    kept, notes = [], []
    for step in steps:
        key = _sameness(step)
        if key is not None and key in first:
            names[step.id] = first[key]
            notes.append(f"row {step.id} ({step.title or step.tool}) repeats row {first[key]} and was left out")
            continue
        if key is not None:
            first[key] = step.id
        kept.append(step)
    return renamed(kept, names), names, notes


def _sameness(step: Step) -> tuple[str, str] | None:
    if step.by != "exact" or step.for_each is not None or step.when is not None:
        return None
    if step.tool == "create_track":
        named = {name: value for name, value in step.inputs.items() if name not in _CHOSEN}
        name = str(named.get("name", "")).strip().casefold()
        return step.tool, f"{name}\x00{named.get('instrument', '')}"
    if step.tool in ("set_tempo", "set_key", "set_time_signature", "set_chords", "set_loudness", "set_sound_font"):
        return step.tool, repr(sorted(step.inputs.items(), key=lambda pair: pair[0]))
    return None


def _renamed(step: Step, names: Mapping[str, str]) -> Step:
    def in_text(text: str) -> str:
        return _REFERENCE.sub(lambda match: f"{match[1]}{names.get(match[2], match[2])}", text)

    def in_value(value: Json) -> Json:
        if isinstance(value, str):
            return in_text(value) if "{{" in value else value
        if isinstance(value, dict):
            return {name: in_value(inner) for name, inner in value.items()}
        if isinstance(value, list | tuple):
            return [in_value(inner) for inner in value]
        return value

    return replace(
        step, id=names.get(step.id, step.id), inputs=in_value(step.inputs),
        for_each=None if step.for_each is None else in_text(step.for_each),
        when=None if step.when is None else replace(step.when, left=in_text(step.when.left)),
        after=tuple(dict.fromkeys(names.get(one, one) for one in step.after)),
    )

"""What is other in the inputs of a step: each input with its old and its new value."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from agent.plan.plan import Inputs, Json
from agent.plan.references import is_reference
from app.desktop.steps.field_choices import from_step
from app.desktop.steps.step_fields import shown
from app.desktop.texts.figures import counted
from app.desktop.texts.input_names import label_of

_LONGEST = 60


class InputChange(Struct, frozen=True):
    """One input; `was` or `now` is "–" where it is left out."""

    label: str
    was: str
    now: str


def input_changes(old: Inputs, new: Inputs, numbers: Mapping[str, int]) -> tuple[InputChange, ...]:
    """Inputs that differ, in the order of the old ones; parameters of an effect one by one."""
    found: list[InputChange] = []
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name), new.get(name)
        if isinstance(was, dict) and isinstance(now, dict):
            found += input_changes(was, now, numbers)
        elif was != now:
            found.append(InputChange(label_of(name), *_pair(was, now, numbers)))
    return tuple(found)


def _pair(was: Json, now: Json, numbers: Mapping[str, int]) -> tuple[str, str]:
    said = (_value(was, numbers), _value(now, numbers))
    # Lists of one length would read alike.
    return said if said[0] != said[1] else (said[0], f"{said[1]}, others")


def _value(value: Json, numbers: Mapping[str, int]) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str) and is_reference(value):
        return from_step(value, numbers)
    if isinstance(value, list):
        return counted(len(value), "entry", "entries")
    text = " ".join(shown(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

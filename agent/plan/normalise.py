"""Turning what planners really write into the one form of a reference, and saying so.

Accepted besides `{{s1.track_id}}`: `{{steps.1.track_id}}`, `{{step_1.track_id}}`, `[from Step 1]`,
`step 1's track`, and `{{item.x}}` without a loop.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.errors import PlanError
from agent.plan.numbers import only_numbers
from agent.plan.plan import Json, Step
from agent.plan.references import ITEM, Reference, references_in
from agent.plan.tool import ToolSpec
from agent.plan.watch import UNWATCHED, Watch

_NUMBERED = re.compile(r"\{\{\s*steps?[._\[ ]?\s*(\d{1,4})\]?((?:\.\w++|\[\d++\])*+)\s*+\}\}", re.IGNORECASE)
_BRACKETED = re.compile(r"\s*+[\[(<]?\s*+(?:id\s++)?from\s++step\s++(\d{1,4})\s*+[\])>]?\s*+", re.IGNORECASE)
_POSSESSIVE = re.compile(
    r"\s*step\s+(\d{1,4})(?:['’]s)?\s+(track|clip|effect|section)(?:[ _]?id)?\s*", re.IGNORECASE
)


class Normalised(Struct, frozen=True):
    """The steps with all references as `{{row.field}}`, and in `notes` a sentence for every text that was rewritten."""

    steps: tuple[Step, ...]
    notes: tuple[str, ...]


def normalise(steps: Sequence[Step], tools: Mapping[str, ToolSpec], watch: Watch = UNWATCHED) -> Normalised:
    """Rewrite references in other notations into `{{row.field}}`; what is already right stays as it is. The rows must
    be within the bounds of a plan."""
    return _Normaliser(steps, tools).run(watch)


class _Normaliser:
    def __init__(self, steps: Sequence[Step], tools: Mapping[str, ToolSpec]) -> None:
        self._steps = steps
        self._tools = tools
        self._known = {step.id for step in steps}
        self._notes: list[str] = []

    def run(self, watch: Watch) -> Normalised:
        steps = tuple(self._step(number, step) for number, step in enumerate(watch.each(self._steps)))
        return Normalised(steps, tuple(self._notes))

    def _step(self, number: int, step: Step) -> Step:
        inputs = {name: self._value(step, name, value) for name, value in step.inputs.items()}
        changed = replace(step, inputs=inputs)
        if step.for_each is not None:
            changed = replace(changed, for_each=self._text(step, "items", step.for_each))
        elif any(reference.source == ITEM for reference in _safe_references(inputs)):
            changed = self._implied_loop(number, changed)
        if step.when is not None:
            left = self._text(step, "items", step.when.left)
            changed = replace(changed, when=replace(step.when, left=left))
        return changed

    def _value(self, step: Step, name: str, value: Json) -> Json:
        if isinstance(value, str):
            return self._text(step, name, value)
        if isinstance(value, dict):
            return {key: self._value(step, key, inner) for key, inner in value.items()}
        if isinstance(value, list) and not only_numbers(value):
            return [self._value(step, name, inner) for inner in value]
        return value

    def _text(self, step: Step, name: str, text: str) -> str:
        if len(text) > 400 or not re.search(r"step", text, re.IGNORECASE):
            return text
        rewritten = self._rewritten(name, text)
        if rewritten != text:
            self._notes.append(f"row {step.id}: {text.strip()} was read as {rewritten}")
        return rewritten

    def _rewritten(self, name: str, text: str) -> str:
        if match := _BRACKETED.fullmatch(text):
            return self._reference(match.group(1), self._path(match.group(1), name), text)
        if match := _POSSESSIVE.fullmatch(text):
            return self._reference(match.group(1), f".{match.group(2).lower()}_id", text)
        if any(reference.source in self._known for reference in _safe_references(text)):
            return text
        return _NUMBERED.sub(lambda match: self._reference(match[1], match[2], match[0]), text)

    def _reference(self, number: str, path: str, otherwise: str) -> str:
        index = int(number) - 1
        if not 0 <= index < len(self._steps):
            return otherwise
        return "{{" + self._steps[index].id + path + "}}"

    def _path(self, number: str, name: str) -> str:
        """The field of that row's result that an input of this name means: `to_track_id` takes `track_id`."""
        index = int(number) - 1
        tool = self._tools.get(self._steps[index].tool) if 0 <= index < len(self._steps) else None
        fields = list(tool.result.get("properties", {})) if tool is not None else []
        ending = [field for field in fields if name == field or name.endswith(f"_{field}")]
        return f".{ending[0] if ending else name}"

    def _implied_loop(self, number: int, step: Step) -> Step:
        for earlier in reversed(self._steps[:number]):
            tool = self._tools.get(earlier.tool)
            if tool is not None and "items" in tool.result.get("properties", {}):
                loop = "{{" + earlier.id + ".items}}"
                self._notes.append(f"row {step.id}: uses an item without a loop, so it goes through {loop}")
                return replace(step, for_each=loop)
        return step


def _safe_references(value: Json) -> list[Reference]:
    try:
        return list(references_in(value))
    except PlanError:
        return []

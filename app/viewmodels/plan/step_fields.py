"""The inputs of a step as fields that a person can fill in: kinds, ranges, units, choices and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.plan.inputs import Schema, read_inputs
from agent.plan.plan import Inputs, Json
from agent.plan.references import is_reference, references_in
from agent.song.ids import MASTER
from agent.song.palette import EffectKind, Palette
from agent.song.song import Song
from app.i18n import lazy, tr
from app.viewmodels.plan.goals import track_words
from app.viewmodels.texts.figures import MINUS, counted, number, signed
from app.viewmodels.texts.input_names import label_of, value_words
from app.viewmodels.texts.palette_words import said

MAX_CHOICES = 300


class FieldChoice(Struct, frozen=True):
    """One of the values that a field can have, and its label for people."""

    value: Json
    label: str


class Surroundings(Struct, frozen=True):
    """What ids in inputs can refer to: the song that the row sees, the palette, the row numbers by step id, and the
    tools that a row left to a model may be given."""

    palette: Palette
    song: Song | None = None
    numbers: Mapping[str, int] = {}
    tools: tuple[str, ...] = ()


def choices_of(name: str, schema: Schema, around: Surroundings) -> tuple[FieldChoice, ...]:
    """The values that the input `name` can have, if they are few: those of an "enum" in its schema, or the song's
    tracks for "track_id"; else empty."""
    if "enum" in schema:
        return tuple(FieldChoice(one, value_words(one)) for one in schema["enum"])
    song = around.song
    match name:
        case "instrument":
            return tuple(
                FieldChoice(one.name, f"{said(one.label)} ({value_words(one.family)})")
                for one in around.palette.instruments
            )
        case "effect_name":
            return tuple(FieldChoice(one.name, said(one.label)) for one in around.palette.effects)
        case "track_id" | "to_track_id" if song is not None:
            return tuple(FieldChoice(str(one.id), one.name) for one in song.tracks)
        case "clip_id" if song is not None:
            return tuple(
                FieldChoice(str(clip.id), tr("{clip} on {track}", clip=clip.name or tr("Clip"), track=track.name))
                for track, clip in song.clips()
            )[:MAX_CHOICES]
        case "section_id" if song is not None:
            return tuple(FieldChoice(str(one.id), one.name) for one in song.sections)
    return ()


def picks_of(name: str, value: Json, around: Surroundings) -> tuple[FieldChoice, ...]:
    """The values that the list input `name` can hold, and those that its present `value` holds already; empty for any
    other input."""
    known: tuple[FieldChoice, ...] = ()
    if name == "tools":
        known = tuple(FieldChoice(one, label_of(one)) for one in around.tools)
    elif name == "tracks" and around.song is not None:
        tracks = tuple(FieldChoice(str(one.id), one.name) for one in around.song.tracks)
        known = (*tracks, FieldChoice(MASTER, tr("Master effects")))
    if not known:
        return ()
    held = [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
    there = {one.value for one in known}
    more = tuple(FieldChoice(one, track_words(one, around.song, around.numbers)) for one in held if one not in there)
    # What is ticked comes first, so that it is seen without scrolling.
    return tuple(sorted((*more, *known), key=lambda one: one.value not in held))


def from_step(value: Json, numbers: Mapping[str, int]) -> str:
    """A reference to another row's result in words: "from step 1"; "from each item" within a loop. `numbers` are the
    row numbers by step id."""
    sources = [reference.source for reference in references_in(value)]
    known = [tr("step {number}", number=numbers[one]) for one in sources if one in numbers]
    return tr("from {steps}", steps=", ".join(known)) if known else tr("from each item")


FieldKind: TypeAlias = Literal[
    "text", "number", "whole", "choice", "picks", "switch", "tick", "notes", "json", "reference", "color",
]
PARAMS = "params"
_UNITS = {"db": "dB", "bpm": "BPM"}
_TICKS = {"accept": lazy("Accept within these limits")}
"""Switches that are off unless they are ticked, with what a person reads beside the box."""
_ABOUTS = {"accept": lazy("Its edits are kept without another look, as long as they stay within these limits")}


class Field(Struct, frozen=True):
    """One input. `path` is its name, or (PARAMS, name) for a parameter of an effect. `low` and `high` are its limits
    (None: no limit), `about` is the text beside its checkbox or below it."""

    path: tuple[str, ...]
    label: str
    kind: FieldKind
    required: bool = False
    low: float | None = None
    high: float | None = None
    unit: str = ""
    choices: tuple[FieldChoice, ...] = ()
    default: Json = None
    about: str = ""

    @property
    def name(self) -> str:
        """The name that errors and the tool use."""
        return self.path[-1]

    @property
    def hint(self) -> str:
        """Range and unit in words: "−96 to 24 dB"."""
        low, high = (None if one is None else number(one) for one in (self.low, self.high))
        if low is not None and high is not None:
            return f"{tr('{low} to {high}', low=low, high=high)} {self.unit}".rstrip()
        if low is not None:
            return f"{tr('from {low}', low=low)} {self.unit}".rstrip()
        return f"{tr('up to {high}', high=high)} {self.unit}".rstrip() if high is not None else self.unit


class FieldProblem(Struct, frozen=True):
    """What is wrong with an input; `field` is its name, empty for the inputs as a whole."""

    field: str
    message: str


def fields_of(schema: Schema, inputs: Inputs, around: Surroundings) -> tuple[Field, ...]:
    """The fields of a tool's inputs, in the order of its schema; `inputs` are the present ones, which name an effect
    whose parameters are fields too."""
    required = schema.get("required", ())
    found: list[Field] = []
    for name, inner in schema.get("properties", {}).items():
        kind = effect_of(inputs, around) if name == PARAMS else None
        if kind is not None and isinstance(inputs.get(PARAMS, {}), dict):
            found += _params(kind, inputs.get(PARAMS, {}), around)
        else:
            found.append(_field((name,), inner, inputs.get(name), name in required, around))
    return tuple(found)


def fields_of_effect_changed(fields: Sequence[Field], inputs: Inputs, around: Surroundings) -> tuple[Field, ...]:
    """The fields with the parameters of the effect that the inputs name now in place of the old effect's."""
    kept = [field for field in fields if field.path[0] != PARAMS]
    kind = effect_of(inputs, around)
    return (*kept, *(() if kind is None else _params(kind, {}, around)))


def effect_of(inputs: Inputs, around: Surroundings) -> EffectKind | None:
    """The effect whose parameters the inputs set; None if they name none that is known."""
    name = inputs.get("effect_name")
    if name is None and around.song is not None and isinstance(inputs.get("effect_id"), str):
        chains = [around.song.master_effects, *(track.effects for track in around.song.tracks)]
        name = next((one.name for chain in chains for one in chain if one.id == inputs["effect_id"]), None)
    return next((one for one in around.palette.effects if one.name == name), None)


def _params(kind: EffectKind, now: dict[str, Json], around: Surroundings) -> list[Field]:
    fields = []
    for param in kind.params:
        shape: Schema = {"type": "number", "minimum": param.low, "maximum": param.high, "default": param.default,
                         "description": said(param.about)}
        one = _field((PARAMS, param.name), shape, now.get(param.name), False, around)
        unit = param.unit if param.unit not in ("mix", "amount") else ""
        fields.append(replace(one, unit=unit))
    return fields


def _field(path: tuple[str, ...], schema: Schema, value: Json, required: bool, around: Surroundings) -> Field:
    inner = _without_null(schema)
    label = label_of(path[-1])
    about, default = str(schema.get("description", inner.get("description", ""))), schema.get("default")
    if path[-1] in _TICKS:
        return Field(path, tr(_TICKS[path[-1]]), "tick", required, default=default, about=tr(_ABOUTS[path[-1]]))
    if isinstance(value, str) and is_reference(value):
        return Field(path, label, "reference", required, about=about)
    picks = picks_of(path[-1], value, around) if inner.get("type") == "array" else ()
    if picks:
        return Field(path, label, "picks", required, choices=picks, default=default, about=about)
    choices = choices_of(path[-1], inner, around)
    if choices:
        return Field(path, label, "choice", required, choices=choices, default=default, about=about)
    low = inner.get("minimum", inner.get("exclusiveMinimum"))
    unit = inner.get("unit", "") or _UNITS.get(path[-1].rpartition("_")[2], "")
    return Field(path, label, _kind(path[-1], inner), required, low, inner.get("maximum"), unit, (), default, about)


def _kind(name: str, schema: Schema) -> FieldKind:
    if name in ("notes", "add_notes"):
        return "notes"
    if name == "color" and schema.get("type") == "string":
        return "color"
    kinds: dict[str, FieldKind] = {"string": "text", "number": "number", "integer": "whole", "boolean": "switch"}
    return kinds.get(str(schema.get("type")), "json")


def _without_null(schema: Schema) -> Schema:
    if "anyOf" not in schema:
        return schema
    real = [one for one in schema["anyOf"] if one.get("type") != "null"]
    return real[0] if len(real) == 1 else {}


def value_of(inputs: Inputs, field: Field) -> Json:
    """The value that the inputs hold for a field; None if it is left out."""
    value: Any = inputs
    for name in field.path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def with_value(inputs: Inputs, field: Field, value: Json) -> Inputs:
    """The inputs with another value for a field; None leaves it out."""
    if len(field.path) == 1:
        changed = {**inputs, field.name: value}
        return changed if value is not None else {name: one for name, one in inputs.items() if name != field.name}
    inner = {**inputs.get(PARAMS, {}), field.name: value}
    return {**inputs, PARAMS: {name: one for name, one in inner.items() if one is not None}}


def shown(value: Json) -> str:
    """A value as text in its field."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float | int):
        return signed(f"{value:.10g}")
    return value if isinstance(value, str) else compact_json(value)


def typed(field: Field, text: str) -> Json:
    """The value that a text means in a field; a text that has no meaning there is returned as it is, for `problems` to
    report."""
    bare = text.strip()
    if not bare:
        return None
    if field.kind in ("notes", "json"):
        try:
            return json.loads(bare)
        except (ValueError, RecursionError):
            return text
    if field.kind not in ("number", "whole"):
        return text
    plain = bare.replace(MINUS, "-").replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        return bare
    return int(value) if value.is_integer() and (field.kind == "whole" or "." not in plain) else value


def problems(schema: Schema, inputs: Json, fields: Sequence[Field] = ()) -> tuple[FieldProblem, ...]:
    """All that is wrong with the inputs, each with its field: "volume_db: −200 is below −96". `fields` give the limits
    of an effect's parameters."""
    if not isinstance(inputs, dict):
        return (FieldProblem("", tr("The inputs must be an object: { … }")),)
    found = [problem for field in fields for problem in _of_field(field, value_of(inputs, field))]
    known = {problem.field for problem in found}
    properties, required = schema.get("properties", {}), schema.get("required", ())
    for name, inner in properties.items():
        if name in known or (name not in inputs and name not in required):
            continue
        part = {"type": "object", "properties": {name: inner}, "required": [name]}
        found += _refused(name, part, {name: inputs[name]} if name in inputs else {})
    if schema.get("additionalProperties") is False:
        found += [
            FieldProblem(name, tr("{name}: the tool does not take this", name=name)) for name in inputs
            if name not in properties
        ]
    return tuple(found)


def _of_field(field: Field, value: Json) -> list[FieldProblem]:
    """What a range says, in the shortest words."""
    name = field.name
    if field.kind not in ("number", "whole"):
        return []
    if isinstance(value, str) and not is_reference(value):
        return [FieldProblem(name, tr("{name}: “{value}” is not a number", name=name, value=value[:40]))]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return []
    now, low, high = number(value), field.low, field.high
    if low is not None and value < low:
        return [FieldProblem(name, tr("{name}: {value} is below {limit}", name=name, value=now, limit=number(low)))]
    if high is not None and value > high:
        return [FieldProblem(name, tr("{name}: {value} is above {limit}", name=name, value=now, limit=number(high)))]
    return []


def _refused(name: str, schema: Schema, inputs: Inputs) -> list[FieldProblem]:
    try:
        read_inputs(schema, inputs, open_references=True)
    except BandleaderError as problem:
        what = problem.what.removeprefix("inputs.").removeprefix(name).strip()
        text = f"{name}{'' if what.startswith(('[', '.')) else ': '}{what}"
        return [FieldProblem(name, f"{text}, {problem.why}" if problem.why else text)]
    return []


def compact_json(value: Json) -> str:
    """JSON with one note, point or value on a line."""
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return "[\n" + ",\n".join(" " + json.dumps(one, ensure_ascii=False) for one in value) + "\n]"
    return json.dumps(value, ensure_ascii=False)


def inputs_json(inputs: Inputs) -> str:
    """All inputs as JSON that a person can edit."""
    rows = [f" {json.dumps(name, ensure_ascii=False)}: {compact_json(value)}" for name, value in inputs.items()]
    return "{\n" + ",\n".join(rows) + "\n}" if rows else "{}"


def parsed(text: str) -> tuple[Inputs | None, FieldProblem | None]:
    """The inputs in a JSON text and None, or None and what is wrong with it."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return None, FieldProblem("", tr(
            "line {line}, column {column}: {why}", line=error.lineno, column=error.colno, why=error.msg,
        ))
    except (ValueError, RecursionError):
        return None, FieldProblem("", tr("this cannot be read as JSON"))
    if not isinstance(value, dict):
        return None, FieldProblem("", tr("the inputs must be an object: { … }"))
    return value, None


_LONGEST = 60


class InputChange(Struct, frozen=True):
    """A changed input as text; `was` or `now` is "–" if the input was or is left out."""

    label: str
    was: str
    now: str


def input_changes(old: Inputs, new: Inputs, numbers: Mapping[str, int]) -> tuple[InputChange, ...]:
    """Inputs that differ, in the order of the old ones; parameters of an effect one by one. `numbers` are the row
    numbers by step id, for references."""
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

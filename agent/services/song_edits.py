"""From a tool's inputs to the exact edit: ids filled in, names checked against the palette."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent.message import msg
from agent.plan.inputs import BadInput, Schema, read_inputs
from agent.plan.plan import Inputs
from agent.plan.watch import UNWATCHED, Watch
from agent.services.schemas import input_schema, made_fields
from agent.services.service import Origin
from agent.song import edits as e
from agent.song.clip import Clip, Note
from agent.song.ids import Kind, NoteId, derive, derive_many
from agent.song.palette import EffectKind, Palette
from agent.song.song import Song
from agent.song.time import PPQ, Ticks

_KINDS = {"track": Kind.TRACK, "clip": Kind.CLIP, "effect": Kind.EFFECT, "section": Kind.SECTION}

_LOOK_EVERY = 5000
"""Notes: some hundredths of a second."""


def tool_name(kind: type[Struct]) -> str:
    """The name of the tool that makes this edit."""
    return str(kind.__struct_config__.tag)


EDIT_KINDS: Mapping[str, type[Struct]] = {tool_name(kind): kind for kind in get_args(e.Edit)}
"""Every kind of edit by the name of its tool."""


class EditMaker:
    """Makes edits from inputs; the same call on the same song always gives the same edit."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self.schemas: Mapping[str, Schema] = {name: input_schema(kind) for name, kind in EDIT_KINDS.items()}
        self._made = {name: made_fields(kind) for name, kind in EDIT_KINDS.items()}

    def edit(self, tool: str, inputs: Inputs, song: Song, origin: Origin, watch: Watch = UNWATCHED) -> e.Edit:
        """The edit that the tool's inputs describe; ids of new objects derive from `origin`. Raises `BadInput` or
        `SongError`, and `Stopped` when `watch` says so."""
        read = read_inputs(self.schemas[tool], inputs, watch=watch)
        for field in self._made[tool]:
            kind = _KINDS[field.removesuffix("_id").removeprefix("new_")]
            read[field] = derive(kind, origin.plan_hash, origin.step, origin.item, field)
        watch.look()
        edit: Any = msgspec.convert(read, EDIT_KINDS[tool])
        return self._completed(edit, song, origin, watch)

    def _completed(self, edit: e.Edit, song: Song, origin: Origin, watch: Watch) -> e.Edit:
        match edit:
            case e.CreateTrack():
                self._palette.instrument(edit.instrument)
            case e.UpdateTrack() if isinstance(edit.instrument, str):
                self._palette.instrument(edit.instrument)
            case e.CreateMidiClip():
                return replace(edit, notes=_noted(edit.notes, edit.duration, (), origin, watch))
            case e.ModifyClip():
                return _modified(edit, song.clip(edit.clip_id)[1], origin, watch)
            case e.AddEffect():
                kind = self._palette.effect(edit.effect_name)
                defaults = {param.name: param.default for param in kind.params}
                return replace(edit, params={**defaults, **_checked(edit.params, kind)})
            case e.UpdateEffect():
                _, effect = song.effect(edit.effect_id)
                _checked(edit.params, self._palette.effect(effect.name))
        return edit


def _checked(params: dict[str, float], kind: EffectKind) -> dict[str, float]:
    known = {param.name: param for param in kind.params}
    for name, value in params.items():
        param = known.get(name)
        if param is None:
            raise BadInput(
                msg("{kind} has no parameter {name!r}", kind=kind.name, name=name),
                fix=msg("it has {known}", known=", ".join(known)),
            )
        if not param.low <= value <= param.high:
            raise BadInput(
                f"{kind.name}: {name} is {value:g} {param.unit}".rstrip(),
                why=msg("it must lie between {low:g} and {high:g}", low=param.low, high=param.high),
            )
    return params


def _modified(edit: e.ModifyClip, clip: Clip, origin: Origin, watch: Watch) -> e.ModifyClip:
    length = edit.duration if isinstance(edit.duration, int) else clip.duration
    if isinstance(edit.notes, tuple):
        edit = replace(edit, notes=_noted(edit.notes, length, clip.notes, origin, watch))
    return replace(edit, add_notes=_noted(edit.add_notes, length, (), origin, watch, "add"))


def _noted(
    specs: tuple[e.NoteSpec, ...], length: int, old: tuple[Note, ...], origin: Origin, watch: Watch, salt: str = "",
) -> tuple[e.NoteSpec, ...]:
    """The notes with ids, and with an end that leaves the clip by one tick of rounding cut back."""
    kept = _kept_ids(specs, old)
    made = []
    derived = derive_many(Kind.NOTE, origin.plan_hash, origin.step, origin.item, salt)
    for number, spec in enumerate(specs):
        if number % _LOOK_EVERY == 0:
            watch.look()
        note_id = kept.get(number) or NoteId(derived(number))
        over = spec.s + spec.d - length
        duration = Ticks(spec.d - 1) if over == 1 and spec.d > 1 else spec.d
        made.append(e.NoteSpec(spec.n, spec.s, duration, spec.v, note_id))
    return tuple(made)


def _kept_ids(specs: tuple[e.NoteSpec, ...], old: tuple[Note, ...]) -> dict[int, NoteId]:
    """Ids that new notes take over: equal pitch and start, then the nearest equal pitch within a beat."""
    if not old:
        return {}
    free = {note.id: note for note in old}
    exact = {(note.pitch, note.start): note.id for note in old}
    kept: dict[int, NoteId] = {}
    for number, spec in enumerate(specs):
        note_id = exact.get((spec.n, spec.s))
        if note_id is not None and note_id in free:
            kept[number] = note_id
            del free[note_id]
    by_pitch: dict[int, list[Note]] = {}
    for note in free.values():
        by_pitch.setdefault(note.pitch, []).append(note)
    for number, spec in enumerate(specs):
        candidates = by_pitch.get(spec.n, [])
        if number in kept or not candidates:
            continue
        after = bisect_left(candidates, spec.s, key=lambda note: note.start)
        beside = range(max(0, after - 1), min(len(candidates), after + 1))
        nearest = min(beside, key=lambda place: abs(candidates[place].start - spec.s))
        if abs(candidates[nearest].start - spec.s) <= PPQ:
            kept[number] = candidates.pop(nearest).id
    return kept


def about(kind: type[Struct]) -> str:
    """What an edit does, in one paragraph for a person or a model."""
    return re.sub(r"\s+", " ", kind.__doc__ or "").strip()

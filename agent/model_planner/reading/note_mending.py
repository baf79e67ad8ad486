"""Turning the note forms that models write into the `{n, s, d, v}` that tools take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent.plan.plan import Json
from agent.theory.errors import TheoryError
from agent.theory.pitch import pitch

_NAMES = {
    "n": ("n", "pitch", "note", "midi", "key", "p", "note_number", "notenumber", "midi_note", "number", "noteName"),
    "s": ("s", "start", "start_time", "starttime", "time", "t", "onset", "offset", "position", "beat", "begin", "at"),
    "d": ("d", "duration", "length", "dur", "len", "l"),
    "v": ("v", "velocity", "vel", "loudness"),
}
_PLAIN = frozenset(_NAMES)
_FIELD = {name.lower(): field for field, names in _NAMES.items() for name in names}
_ENDS = ("end", "end_time", "endtime", "stop")


def is_note_schema(schema: dict[str, Any]) -> bool:
    """Whether the schema is that of a tool's note."""
    return {"n", "s", "d"} <= set(schema.get("properties", {}))


def are_plain(notes: Sequence[Json]) -> bool:
    """Whether all notes already have the tools' form, so that nothing needs repair; fast, as a plan may hold a
    million."""
    return all(
        type(note) is dict and 3 <= len(note) <= 4 and _PLAIN.issuperset(note)
        and all(type(value) in (int, float) for value in note.values())
        for note in notes
    )


def mended_notes(notes: Sequence[Json]) -> tuple[list[Json], bool]:
    """(notes, changed): the notes in the tools' form `{n, s, d, v}`, and whether any had another form. What is no known
    form of a note stays as it is, for the schema to refuse."""
    made = [_note(note) for note in notes]
    shares = [note["v"] for note in made if isinstance(note, dict) and isinstance(note.get("v"), float)]
    if shares and all(_is_share(note) for note in made):
        made = [{**note, "v": max(1, round(note["v"] * 127))} for note in made]
    changed = any(before is not after and before != after for before, after in zip(notes, made, strict=True))
    return made, changed


def _note(note: Json) -> Json:
    if isinstance(note, list | tuple) and 3 <= len(note) <= 4:
        note = dict(zip("nsdv", note, strict=False))
    if not isinstance(note, dict):
        return note
    if note.keys() <= _NAMES.keys() and all(type(value) in (int, float) for value in note.values()):
        return note
    return _read(note)


def _read(note: dict[str, Json]) -> dict[str, Json]:
    read: dict[str, Json] = {}
    rest: dict[str, Json] = {}
    for name, value in note.items():
        field = _FIELD.get(name.lower(), "")
        if field and field not in read:
            read[field] = _pitch(value) if field == "n" else _number(value)
        elif value is not None:
            rest[name] = value
    ends = [name for name in rest if name.lower() in _ENDS]
    if "d" not in read and ends and _is_number(read.get("s")):
        end = _number(rest.pop(ends[0]))
        read["d"] = end - read["s"] if _is_number(end) else end
    if read.get("v", 0) is None:
        del read["v"]
    return {**read, **rest}


def _pitch(value: Json) -> Json:
    if isinstance(value, str):
        try:
            return pitch(value.replace("♯", "#").replace("♭", "b"))
        except TheoryError:
            return _number(value)
    return value


def _number(value: Json) -> Json:
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return value
        return int(number) if number.is_integer() else number
    return value


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_share(note: Json) -> bool:
    return isinstance(note, dict) and _is_number(note.get("v")) and 0 <= note["v"] <= 1

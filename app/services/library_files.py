"""Reads the instrument and effect tables of the resources folder into a palette."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TypeVar

import msgspec

from agent.errors import BandleaderError, Blame
from agent.message import msg
from agent.song.palette import EffectKind, Instrument, Palette
from app.services.toml_files import clipped, read_toml

_Row = TypeVar("_Row", Instrument, EffectKind)


class LibraryFileError(BandleaderError):
    """A table of the resources folder that is not valid; `what` names file and key."""

    blame = Blame.MACHINE


def read_palette(resources: Path) -> Palette:
    """Every instrument and effect of `resources/instruments/*.toml` and `resources/effects/*.toml`.

    Files count in the order of their names, rows in the order of the file. `LibraryFileError` names the
    file, the row and the key that is wrong.
    """
    palette = Palette(
        instruments=_read_tables(resources / "instruments", "instruments", Instrument),
        effects=_read_tables(resources / "effects", "effects", EffectKind),
    )
    for instrument in palette.instruments:
        problem = _made_of_problem(instrument, palette)
        if problem:
            raise LibraryFileError(
                msg(
                    "{resources}: instruments {instrument!r}",
                    resources=resources / "instruments", instrument=instrument.name,
                ),
                why=problem,
            )
    return palette


def _read_tables(folder: Path, table: str, kind: type[_Row]) -> tuple[_Row, ...]:
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise LibraryFileError(msg("{folder} holds no .toml files", folder=folder), fix=msg("reinstall Bandleader"))
    rows = [row for file in files for row in _read_file(file, table, kind)]
    for name, count in Counter(row.name for row in rows).items():
        if count > 1:
            raise LibraryFileError(
                msg("{folder}: {name!r} is defined {count} times", folder=folder, name=name, count=count),
                fix=msg("rename or remove one"),
            )
    return tuple(rows)


def _read_file(file: Path, table: str, kind: type[_Row]) -> list[_Row]:
    content = read_toml(file, LibraryFileError)
    if set(content) != {table} or not isinstance(content[table], list):
        found = ", ".join(content) or "nothing"
        raise LibraryFileError(
            msg("{file}: expected one list {table!r}", file=file, table=table), why=msg("found {found}", found=found),
        )
    return [_read_row(file, table, index, row, kind) for index, row in enumerate(content[table])]


def _read_row(file: Path, table: str, index: int, row: object, kind: type[_Row]) -> _Row:
    name = row.get("name", index) if isinstance(row, dict) else index
    where = msg("{file}: {table} {name!r}", file=file, table=table, name=name)
    try:
        value = msgspec.convert(row, kind)
    except msgspec.ValidationError as error:
        raise LibraryFileError(where, why=clipped(str(error))) from error
    problem = _instrument_problem(value) if isinstance(value, Instrument) else _effect_problem(value)
    if problem:
        raise LibraryFileError(where, why=problem)
    return value


def _instrument_problem(instrument: Instrument) -> str:
    if instrument.low > instrument.high:
        return f"low {instrument.low} is above high {instrument.high}"
    return ""


def _made_of_problem(instrument: Instrument, palette: Palette) -> str:
    """What is wrong with the layers and effects of an instrument; they name others of the palette."""
    sounds = {one.name: one for one in palette.instruments}
    for layer in instrument.layers:
        sound = sounds.get(layer.instrument)
        if sound is None:
            return f"there is no instrument {layer.instrument!r} for a layer"
        if sound.layers or sound.is_kit or instrument.is_kit:
            return f"{layer.instrument!r} cannot be a layer: layers are sounds of the bank with pitches"
    kinds = {one.name: one for one in palette.effects}
    for use in instrument.effects:
        ranges = {one.name: one for one in kinds[use.effect].params} if use.effect in kinds else None
        if ranges is None:
            return f"there is no effect {use.effect!r}"
        for name, value in use.params.items():
            if name not in ranges or not ranges[name].low <= value <= ranges[name].high:
                return f"{name} = {value:g} does not fit the effect {use.effect}"
    return ""


def _effect_problem(effect: EffectKind) -> str:
    for parameter in effect.params:
        if not parameter.low <= parameter.default <= parameter.high:
            return f"the default of {parameter.name!r} lies outside {parameter.low:g}-{parameter.high:g}"
    return ""

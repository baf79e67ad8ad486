"""The things of the library as plans see them: what ships with the program, and the user's own files."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from agent.song.palette import Palette
from app.services.files.names import shown
from app.services.library.kinds import Kind
from app.storage.library_index import LibraryFile

CHANGING_TEMPO, CHANGING_METER = "changing tempo", "changing meter"


class LibraryItem(Struct, frozen=True):
    """One item of the library; `name` is what plans use, for a file its `path`. Fields after `tags` are only set for
    files, as far as known: `tempo` in quarter notes per minute, `bars` in the file's own meter, `seconds`. Names and
    tags of files are data of others."""

    kind: Kind
    name: str
    label: str
    tags: tuple[str, ...] = ()
    path: str | UnsetType = UNSET
    tempo: float | UnsetType = UNSET
    key: str | UnsetType = UNSET
    meter: str | UnsetType = UNSET
    bars: int | UnsetType = UNSET
    seconds: float | UnsetType = UNSET
    notes: int | UnsetType = UNSET


def shelf_of(palette: Palette) -> tuple[LibraryItem, ...]:
    """Instruments and effects of the palette as items of the library."""
    instruments = tuple(
        LibraryItem("kit" if one.is_kit else "instrument", one.name, one.label, (one.family, *one.tags))
        for one in palette.instruments
    )
    return (*instruments, *(LibraryItem("effect", one.name, one.label) for one in palette.effects))


def item_of(file: LibraryFile) -> LibraryItem:
    """An indexed file as an item of the library."""
    name = shown(file.name)
    label = name.rpartition(".")[0] or name
    known = {
        "tempo": file.tempo, "key": file.key, "meter": file.meter, "bars": bars_of(file), "seconds": file.seconds,
        "notes": file.notes,
    }
    item = LibraryItem(file.kind, name, label, file.tags, file.path)
    return replace(item, **{field: value for field, value in known.items() if value is not None})


def bars_of(file: LibraryFile) -> int | None:
    """Bars of a MIDI file with constant tempo and meter; None if not known."""
    if file.kind != "midi" or not (file.tempo and file.seconds and file.meter):
        return None
    if CHANGING_TEMPO in file.tags or CHANGING_METER in file.tags:
        return None
    beats, _, unit = file.meter.partition("/")
    return round(file.seconds * file.tempo / 60 / (int(beats) * 4 / int(unit)))

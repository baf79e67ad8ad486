"""The tools that write files: text, copies, and the song as MIDI; what they come to, and whether they have happened."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

import msgspec

from agent.message import msg
from agent.services.schemas import taken
from agent.services.service import Call, Outcome
from agent.song.palette import Palette
from app.exchange.errors import ExchangeError
from app.exchange.midi_out import midi_bytes
from app.services.files import shapes
from app.services.files.door import Door, read_whole
from app.services.files.errors import ExistsAlready, FileError, NotThere, fault
from app.services.files.listing import Cancelled
from app.services.files.names import check_name
from app.services.files.places import Place, place_of
from app.services.files.reading import FolderSource
from app.services.files.tools import COPY, WRITE

MAX_WRITTEN = 4 * 1024 * 1024
MAX_COPIED = 2 * 1024 * 1024 * 1024
_CHUNK = 1 << 20


class FileWriters:
    """The tools `write_text`, `copy_file` and `export_midi`; they write the disk."""

    def __init__(self, folders: FolderSource, palette: Palette, door: Door) -> None:
        self._folders = folders
        self._palette = palette
        self._door = door

    def write(self, call: Call) -> Outcome:
        """Write a file as a whole or not at all."""
        if call.tool == WRITE:
            text = taken(call.inputs, shapes.WriteText)
            place, data = self._ready(call, text.path), _encoded(text)
            return _written(place, self._put(place, data, text.replace))
        if call.tool == COPY:
            return self._copy(call, taken(call.inputs, shapes.CopyFile))
        midi = taken(call.inputs, shapes.ExportMidi)
        place, made = self._ready(call, midi.path), midi_bytes(call.song, self._palette)
        self._put(place, made.data, midi.replace)
        return _outcome(shapes.MidiExported(place.path, made.kept, made.dropped))

    def foresee(self, call: Call) -> Outcome:
        """The result as far as it is known without writing; refuses what writing would refuse now."""
        if call.tool == WRITE:
            text = taken(call.inputs, shapes.WriteText)
            place = self._free(call, text.path, text.replace)
            return _written(place, len(_encoded(text)))
        if call.tool == COPY:
            copy = taken(call.inputs, shapes.CopyFile)
            place = self._free(call, copy.to, copy.replace)
            with self._door.reading(self._source(call, copy)) as file:
                return _written(place, os.fstat(file.fileno()).st_size)
        midi = taken(call.inputs, shapes.ExportMidi)
        place = self._free(call, midi.path, midi.replace)
        if not call.song.note_count:
            raise ExchangeError(
                msg("the song {song!r} has no notes", song=call.song.name), fix=msg("add a clip with notes first"),
            )
        return _outcome(shapes.MidiExported(place.path, call.song.note_count, ()))

    def probe(self, call: Call) -> Outcome | None:
        """The result of a write whose file exists with exactly the intended bytes; else None."""
        try:
            return self._found(call)
        except FileError as problem:
            if problem.transient:
                raise
            return None

    def _found(self, call: Call) -> Outcome | None:
        if call.tool == WRITE:
            text = taken(call.inputs, shapes.WriteText)
            place, data = self._target(call, text.path), _encoded(text)
            return _written(place, len(data)) if self._holds(place, data) else None
        if call.tool == COPY:
            copy = taken(call.inputs, shapes.CopyFile)
            return self._copied(self._source(call, copy), self._target(call, copy.to))
        place = self._target(call, taken(call.inputs, shapes.ExportMidi).path)
        made = midi_bytes(call.song, self._palette)
        done = _outcome(shapes.MidiExported(place.path, made.kept, made.dropped))
        return done if self._holds(place, made.data) else None

    def _holds(self, place: Place, data: bytes) -> bool:
        return read_whole(self._door, place, len(data)) == data

    def _put(self, place: Place, data: bytes, replace: bool) -> int:
        return self._door.write(place, lambda file: file.write(data), replace=replace)

    def _copy(self, call: Call, wanted: shapes.CopyFile) -> Outcome:
        source, place = self._source(call, wanted), self._ready(call, wanted.to)
        with self._door.reading(source) as old:

            def fill(new: IO[bytes]) -> None:
                size = 0
                while part := old.read(_CHUNK):
                    if call.cancelled():
                        raise Cancelled(msg("the copying was stopped"))
                    size += len(part)
                    if size > MAX_COPIED:
                        raise FileError(
                            msg("{shown} is too large", shown=source.shown),
                            why=msg("at most {max_copied} GiB are copied", max_copied=MAX_COPIED >> 30),
                        )
                    new.write(part)

            return _written(place, self._door.write(place, fill, replace=wanted.replace))

    def _copied(self, source: Place, copy: Place) -> Outcome | None:
        with self._door.reading(source) as old, self._door.reading(copy) as new:
            size = 0
            while part := old.read(_CHUNK):
                if new.read(len(part)) != part:
                    return None
                size += len(part)
            return None if new.read(1) else _written(copy, size)

    def _source(self, call: Call, wanted: shapes.CopyFile) -> Place:
        return place_of(wanted.path, self._folders.allowed(call.project))

    def _target(self, call: Call, path: str) -> Place:
        return place_of(path, self._folders.allowed(call.project), write=True)

    def _ready(self, call: Call, path: str) -> Place:
        """Where a file is to be written; the export folder is made if need be, no other ever is."""
        allowed = self._folders.allowed(call.project)
        place = place_of(path, allowed, write=True)
        if place.grant == allowed.home:
            try:
                Path(place.grant.path).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise fault(f"cannot make the folder {Place(place.grant).shown}", error) from None
        return place

    def _free(self, call: Call, path: str, replace: bool) -> Place:
        """Where a file is to be written, if it may be now; touches nothing."""
        allowed = self._folders.allowed(call.project)
        place = place_of(path, allowed, write=True)
        check_name(place.name if place.parts else "")
        if place.grant == allowed.home and len(place.parts) == 1 and not os.path.exists(place.grant.path):
            return place
        try:
            there = self._door.look(place)
        except NotThere:
            raise FileError(
                msg("cannot write {shown}", shown=place.shown), why=msg("there is no such folder"),
                fix=msg("make it first"),
            ) from None
        if there is not None and there.kind != "file":
            raise FileError(
                msg("cannot write {shown}", shown=place.shown),
                why=msg("something that is no file has that name: {kind}", kind=there.kind),
            )
        if there is not None and not replace:
            raise ExistsAlready(
                msg("cannot write {shown}", shown=place.shown), why=msg("it exists already"),
                fix=msg("choose another name, or say replace: true"),
            )
        return place


def _outcome(result: msgspec.Struct) -> Outcome:
    return Outcome(msgspec.to_builtins(result))


def _written(place: Place, size: int) -> Outcome:
    return _outcome(shapes.FileWritten(place.path, size))


def _encoded(wanted: shapes.WriteText) -> bytes:
    """The bytes of a text; a list becomes lines, and what is no text in it JSON."""
    text = wanted.text
    if not isinstance(text, str):
        text = "".join(f"{_line(item)}\n" for item in text)
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise FileError(
            msg("the text cannot be written"), why=msg("sign {start:,} is no sign of Unicode", start=error.start),
        ) from None
    if len(data) > MAX_WRITTEN:
        raise FileError(
            msg("the text is too large"),
            why=msg("at most {max_written} MiB are written", max_written=MAX_WRITTEN >> 20),
        )
    return data


def _line(item: Any) -> str:
    return item if isinstance(item, str) else msgspec.json.encode(item).decode()

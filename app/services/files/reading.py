"""The tools that read files: listing, text, and MIDI into the song."""

from __future__ import annotations

import hashlib
import os
from typing import Protocol

import msgspec

from agent.message import msg
from agent.plan.inputs import read_inputs
from agent.services.schemas import input_schema, taken
from agent.services.service import Call, Outcome
from agent.song.palette import Palette
from app.exchange.midi_in import MAX_BYTES, song_from_midi
from app.services.files import shapes
from app.services.files.bringing import brought
from app.services.files.door import Door, read_at_most, read_whole
from app.services.files.errors import FileError
from app.services.files.listing import granted, listed
from app.services.files.places import Allowed, Place, place_of

MAX_TEXT = 256 * 1024
"""Most bytes of a text that are read, as they are stored with the run."""


class FolderSource(Protocol):
    """Provides the allowed folders."""

    def allowed(self, project: str) -> Allowed:
        """The allowed folders of a project by its id; blocks until the database has answered."""
        ...


class FileReaders:
    """The tools `list_files`, `read_text` and `import_midi`; they read the disk and change nothing on it."""

    def __init__(self, folders: FolderSource, palette: Palette, door: Door) -> None:
        self._folders = folders
        self._palette = palette
        self._door = door
        self._import_schema = input_schema(shapes.ImportMidi)

    def list(self, call: Call) -> Outcome:
        """List a folder."""
        wanted, allowed = taken(call.inputs, shapes.ListFiles), self._folders.allowed(call.project)
        if wanted.folder is None:
            return _outcome(granted(allowed.grants, self._door))
        place = place_of(wanted.folder, allowed)
        if place == Place(allowed.home) and not os.path.isdir(place.path):
            return _outcome(shapes.FilesListed(()))
        return _outcome(listed(place, wanted, self._door, call.cancelled))

    def read(self, call: Call) -> Outcome:
        """Read the beginning of a text file."""
        place = self.place(call, taken(call.inputs, shapes.ReadText).path)
        with self._door.reading(place) as file:
            data = read_at_most(file, MAX_TEXT + 1)
        truncated = len(data) > MAX_TEXT
        text = _decoded(place, data[:MAX_TEXT], truncated)
        return _outcome(shapes.TextRead(place.path, text, len(text.splitlines()), truncated))

    def bring(self, call: Call) -> Outcome:
        """The edits that add the tracks of a MIDI file."""
        wanted = msgspec.convert(read_inputs(self._import_schema, call.inputs), shapes.ImportMidi)
        place = self.place(call, wanted.path)
        data = read_whole(self._door, place, MAX_BYTES)
        digest = hashlib.sha256(data).hexdigest()
        if wanted.sha256 not in (None, digest):
            raise FileError(
                msg("{shown} is not the file that was meant", shown=place.shown), why=msg("its content is another one"),
            )
        found = song_from_midi(data, place.shown, self._palette)
        result, edits = brought(found.song, found.dropped, digest, wanted, place.path, call.song)
        return Outcome(msgspec.to_builtins(result), edits)

    def place(self, call: Call, path: str) -> Place:
        """The place of a path in a call. Raises `NotAllowed`."""
        return place_of(path, self._folders.allowed(call.project))


def _outcome(result: msgspec.Struct) -> Outcome:
    return Outcome(msgspec.to_builtins(result))


def _decoded(place: Place, data: bytes, truncated: bool) -> str:
    """The text; where it was cut, a sign that is cut in two is left out."""
    if b"\0" in data:
        raise FileError(
            msg("{shown} is no text", shown=place.shown), why=msg("byte {index:,} is zero", index=data.index(0)),
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        cut = truncated and error.start > len(data) - 4 and error.reason == "unexpected end of data"
        if cut:
            return data[: error.start].decode("utf-8-sig")
        raise FileError(
            msg("{shown} is no text", shown=place.shown), why=msg("byte {start:,} is not UTF-8", start=error.start),
        ) from None

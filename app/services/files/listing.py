"""Listing folders: what is in them by path, within a budget, never behind a link."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import PurePath

from agent.errors import BandleaderError, Blame
from agent.message import msg
from app.services.files.door import Door, FolderEntry
from app.services.files.errors import FileError
from app.services.files.names import hidden, shown
from app.services.files.places import Grant, Place
from app.services.files.shapes import FileItem, FileKind, FilesListed, ListFiles

MAX_ITEMS = 1000
MAX_SEEN = 50_000
MAX_DEPTH = 16
_ENDINGS: dict[str, FileKind] = {
    **dict.fromkeys((".mid", ".midi", ".smf", ".rmi", ".kar"), "midi"),
    **dict.fromkeys((".wav", ".wave", ".aif", ".aiff", ".aifc", ".flac", ".ogg", ".oga", ".opus", ".mp3"), "audio"),
    **dict.fromkeys((".txt", ".md", ".csv", ".tsv", ".json", ".toml", ".yaml", ".yml", ".xml", ".log", ".srt"), "text"),
}


class Cancelled(BandleaderError):
    """The person has cancelled the listing."""

    blame = Blame.CANCELLED


def file_kind(name: str) -> FileKind:
    """The kind of a file by its name's ending."""
    return _ENDINGS.get(PurePath(name).suffix.lower(), "other")


def granted(grants: Sequence[Grant], door: Door) -> FilesListed:
    """The allowed folders themselves; those that do not exist are left out."""
    items: list[FileItem] = []
    for grant in grants:
        place = Place(grant)
        try:
            entry = door.look(place)
        except FileError:
            entry = None
        if entry is not None and not hidden(place.path):
            items.append(_item(place, entry))
    return FilesListed(tuple(items), len(grants) - len(items))


def listed(place: Place, wanted: ListFiles, door: Door, cancelled: Callable[[], bool]) -> FilesListed:
    """The entries of a folder that match; subfolders that cannot be opened are left out. Raises `FileError`, and
    `Cancelled` when `cancelled` returns True."""
    items: list[FileItem] = []
    seen = left_out = 0
    waiting: deque[Place] = deque([place])
    pattern = wanted.pattern.casefold()
    while waiting:
        folder = waiting.popleft()
        if cancelled():
            raise Cancelled(msg("the listing was stopped"))
        try:
            entries = door.entries(folder)
        except FileError:
            if folder is place:
                raise
            left_out += 1
            continue
        for entry in entries:
            seen += 1
            inner = folder.below(entry.name)
            if hidden(entry.name) or entry.kind in ("link", "other") or seen > MAX_SEEN:
                left_out += 1
                continue
            if entry.kind == "folder" and wanted.recursive:
                deep = len(inner.parts) - len(place.parts) >= MAX_DEPTH
                left_out += deep
                waiting.extend(() if deep else (inner,))
            if fnmatchcase(entry.name.casefold(), pattern):
                items.append(_item(inner, entry))
    items.sort(key=lambda item: item.path)
    return FilesListed(tuple(items[:MAX_ITEMS]), left_out + max(0, len(items) - MAX_ITEMS))


def _item(place: Place, entry: FolderEntry) -> FileItem:
    kind: FileKind = "folder" if entry.kind == "folder" else file_kind(entry.name)
    seconds = min(max(entry.modified / 1e9, 0), 253_402_300_799)
    modified = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return FileItem(place.path, shown(entry.name), entry.size, modified, kind)

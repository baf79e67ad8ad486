"""Looking through a folder of the library: only what is new or changed is read, and links are not followed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from agent.song.palette import Palette
from app.services.files.door import Door, FolderEntry
from app.services.files.errors import FileError
from app.services.files.names import hidden, shown
from app.services.files.places import Grant, Place
from app.services.library.measuring import library_kind, measured
from app.storage.library_index import LibraryFile

_BATCH = 50


class Budget(Struct, frozen=True):
    """Limits of a scan: files, depth of folders, and bytes that are read."""

    files: int = 50_000
    depth: int = 24
    bytes: int = 16 * 1024**3
    entries: int = 500_000
    """Most entries of any kind that are looked at."""


class FolderScan(Struct, frozen=True):
    """The result of a scan: how many `files` were found and how many of them `read` because they were new or changed;
    `gone` are paths that do not exist any more, `left_out` says what was not looked at (nothing of it counts as gone);
    `stopped`: it was cancelled."""

    folder: str
    files: int
    read: int
    gone: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    stopped: bool = False


class Scanner:
    """Scans one folder. `keep` is called with the files read, in batches; `progress` with a share from 0 to 1 and a
    path."""

    def __init__(
        self, door: Door, palette: Palette, keep: Callable[[Sequence[LibraryFile]], None],
        progress: Callable[[float, str], None], cancelled: Callable[[], bool], budget: Budget | None = None,
    ) -> None:
        self._door = door
        self._palette = palette
        self._keep = keep
        self._progress = progress
        self._cancelled = cancelled
        self._budget = Budget() if budget is None else budget
        self._left_out: dict[str, int] = {}
        self._unseen: list[str] = []

    def scan(self, folder: str, known: Mapping[str, tuple[int, int]]) -> FolderScan:
        """Scan a folder; `known` maps paths of its indexed files to size and time of change. Reads the disk. Raises
        `FileError` if the folder itself cannot be listed: then nothing counts as gone."""
        self._left_out, self._unseen = {}, []
        found = self._walk(Place(Grant(folder)))
        changed = [(place, entry) for place, entry in found if known.get(place.path) != (entry.size, entry.modified)]
        read = self._read(changed)
        stopped = read < len(changed) or self._cancelled()
        return FolderScan(
            folder, len(found), read, () if stopped else tuple(self._gone(found, known)), self._said(), stopped
        )

    def _walk(self, root: Place) -> list[tuple[Place, FolderEntry]]:
        found: list[tuple[Place, FolderEntry]] = []
        waiting = deque([root])
        seen = 0
        while waiting and not self._cancelled():
            folder = waiting.popleft()
            try:
                entries = self._door.entries(folder)
            except FileError as problem:
                if folder is root:
                    raise
                self._leave(f"folders that cannot be opened, as {folder.shown}: {problem.why}", folder)
                continue
            for entry in entries:
                seen += 1
                place = folder.below(entry.name)
                if reason := self._refused(place, entry, seen, len(found)):
                    self._leave(reason, place)
                elif entry.kind == "folder":
                    waiting.append(place)
                elif library_kind(entry.name) is not None:
                    found.append((place, entry))
        return found

    def _refused(self, place: Place, entry: FolderEntry, seen: int, found: int) -> str:
        """Why an entry is not looked at; empty if it is, or is nothing for the library."""
        keeps = entry.kind == "folder" or library_kind(entry.name) is not None
        if not keeps:
            return ""
        if hidden(entry.name):
            return f"names with signs that cannot be seen, as {shown(entry.name)}: rename them"
        if entry.kind == "link":
            return "links: they are not followed"
        if entry.kind == "other":
            return "pipes, devices and the like"
        if entry.kind == "folder" and len(place.parts) > self._budget.depth:
            return f"folders more than {self._budget.depth} deep"
        if found >= self._budget.files or seen > self._budget.entries:
            return f"more than {self._budget.files:,} files"
        return ""

    def _read(self, changed: Sequence[tuple[Place, FolderEntry]]) -> int:
        batch: list[LibraryFile] = []
        total = done = 0
        for place, entry in changed:
            if self._cancelled():
                break
            total += entry.size if library_kind(entry.name) == "midi" else 0
            if total > self._budget.bytes:
                self._leave(f"more than {self._budget.bytes >> 30} GiB of MIDI files", place)
            else:
                self._progress(done / len(changed), shown(entry.name))
                batch.append(measured(place, entry, self._door, self._palette))
            done += 1
            if len(batch) >= _BATCH:
                self._keep(batch)
                batch = []
        self._keep(batch)
        return done

    def _gone(self, found: Sequence[tuple[Place, FolderEntry]], known: Mapping[str, tuple[int, int]]) -> list[str]:
        """Indexed files that were not found, outside of what was left out."""
        there = {place.path for place, _ in found}
        gone = [path for path in known if path not in there]
        if not self._unseen:
            return gone
        unseen = tuple(self._unseen)
        below = tuple(f"{path.rstrip('/')}/" for path in unseen)
        return [path for path in gone if path not in unseen and not path.startswith(below)]

    def _leave(self, reason: str, place: Place) -> None:
        kind = reason.partition(", as ")[0].partition(":")[0]
        same = next((one for one in self._left_out if one.startswith(kind)), reason)
        self._left_out[same] = self._left_out.get(same, 0) + 1
        self._unseen.append(place.path)

    def _said(self) -> tuple[str, ...]:
        return tuple(f"{count:,} × {reason}" for reason, count in self._left_out.items())

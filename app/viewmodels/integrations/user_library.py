"""The folders and files of the user's library, as the settings show them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence

from msgspec import UNSET, Struct

from app.i18n import lazy, tr, trn
from app.services.files.names import shown
from app.services.library.library_service import ItemsFound, QueryLibrary
from app.services.library.shelf import LibraryItem
from app.studio.integrations.library import FolderState, Library, LibraryFault, Scanned
from app.viewmodels.texts.figures import number
from app.viewmodels.watched import Watched

Progress = Callable[[float, str], None]
KINDS: tuple[tuple[str, str], ...] = (
    ("", lazy("Everything")), ("midi", lazy("MIDI files")), ("sample", lazy("Samples")),
    ("instrument", lazy("Instruments")), ("kit", lazy("Kits")), ("effect", lazy("Effects")),
    ("style", lazy("Styles")),
)
"""Kinds of items to search for, each with its name."""
_SLOWEST, _FASTEST = 1.0, 999.0
MOST_FAULTS = 2_000


class LibraryQuery(Struct, frozen=True):
    """A search; empty fields and None match everything. Tempos are in quarter notes per minute, inclusive."""

    kind: str = ""
    words: str = ""
    key: str = ""
    tempo_from: float | None = None
    tempo_to: float | None = None


class UserLibrary:
    """The folders of the user's library with counts, their scan, search and tags."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.folders: Watched[tuple[FolderState, ...]] = Watched(())

    async def refresh(self) -> None:
        """Read folders and counts again."""
        self.folders.set(await self._library.folders())

    async def add(self, path: str) -> str:
        """Add a folder without scanning it; returns its absolute path. Raises `StudioError`."""
        whole = (await self._library.add(path.strip())).path
        await self.refresh()
        return whole

    async def forget(self, path: str) -> None:
        """Remove a folder from the library; its files are untouched."""
        await self._library.forget(path)
        await self.refresh()

    async def scan(self, folder: str | None, progress: Progress) -> Scanned:
        """Scan one folder, or with None all. Cancelling stops it after the current file: what was read is stored, and
        the result says `stopped`. `progress` is called on the event loop."""
        loop, stop = asyncio.get_running_loop(), threading.Event()

        def tell(share: float, what: str) -> None:
            if not stop.is_set() and not loop.is_closed():
                loop.call_soon_threadsafe(progress, share, what)

        scan = asyncio.ensure_future(self._library.scan(folder, progress=tell, cancelled=stop.is_set))
        try:
            done = await asyncio.shield(scan)
        except asyncio.CancelledError:
            stop.set()
            done = await scan
            task = asyncio.current_task()
            if task is not None:
                task.uncancel()
        finally:
            stop.set()
        await self.refresh()
        return done

    async def find(self, question: LibraryQuery) -> ItemsFound:
        """The items that match. Raises `BadInput` for an unknown key."""
        low, high = question.tempo_from, question.tempo_to
        return await self._library.find(QueryLibrary(
            question.kind or None, (), question.words, question.key.strip() or None,  # type: ignore[arg-type]
            None if low is None else min(max(low, _SLOWEST), _FASTEST),
            None if high is None else min(max(high, _SLOWEST), _FASTEST),
        ))

    async def broken(self) -> tuple[LibraryFault, ...]:
        """The first 2,000 files that cannot be used, each with its reason."""
        return await asyncio.to_thread(self._broken)

    async def tag(self, path: str, tags: Sequence[str]) -> tuple[str, ...]:
        """Add tags to a file; returns all tags given to it."""
        return await self._library.tag(path, *tags)

    async def untag(self, path: str, tags: Sequence[str]) -> tuple[str, ...]:
        """Remove tags of a file; returns the remaining ones."""
        return await self._library.untag(path, *tags)

    def _broken(self) -> tuple[LibraryFault, ...]:
        files = self._library.files(("midi", "sample"))
        bad = [one for one in files if one.fault][:MOST_FAULTS]
        return tuple(LibraryFault(one.path, _reason(one.fault, one.path)) for one in bad)


def _reason(fault: str, path: str) -> str:
    """ "it is empty", for "cannot import PATH (it is empty)": which file it is stands beside it."""
    return fault.partition(path)[2].strip().removeprefix("(").removesuffix(")") or fault


def scanned_words(done: Scanned) -> str:
    """The result of a scan, in sentences."""
    files, read = sum(one.files for one in done.folders), sum(one.read for one in done.folders)
    gone = sum(len(one.gone) for one in done.folders)
    found = trn("{count:,} file found", "{count:,} files found", files)
    said = [tr("{found}, {read:,} read anew.", found=found, read=read)]
    if gone:
        said = [tr("{found}, {read:,} read anew, {gone:,} gone.", found=found, read=read, gone=gone)]
    if done.stopped:
        said = [trn("Stopped: {count:,} file was read and kept.", "Stopped: {count:,} files were read and kept.", read)]
    broken = len(done.faults) + done.faults_left_out
    if broken:
        said.append(trn("{count:,} file cannot be read.", "{count:,} files cannot be read.", broken))
    said += [tr("{path} could not be opened: {why}.", path=shown(one.path), why=one.why) for one in done.troubles]
    said += [
        tr("Left out of {folder}: {line}.", folder=shown(one.folder), line=line)
        for one in done.folders for line in one.left_out
    ]
    return "\n".join(said[:12])


def item_cells(item: LibraryItem) -> tuple[str, str, str, str, str]:
    """Kind, name, key, tempo and tags of an item as texts, empty if unknown."""
    tempo = "" if item.tempo is UNSET else number(item.tempo)
    key = "" if item.key is UNSET else item.key
    return item.kind, item.label, key, tempo, ", ".join(item.tags)

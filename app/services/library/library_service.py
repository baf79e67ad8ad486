"""The library service: what there is to make music with, found by kind, tags, words, key and tempo. No effects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Protocol

import msgspec
from msgspec import Meta, Struct

from agent.message import msg
from agent.plan.inputs import BadInput
from agent.plan.tool import ToolSpec
from agent.services.schemas import input_schema, result_schema, taken
from agent.services.service import Call, Outcome
from agent.song.key import Key
from app.services.library.file_names import asked_key, same_key, tagged
from app.services.library.kinds import Kind
from app.services.library.shelf import LibraryItem, item_of
from app.storage.library_index import FileKind, LibraryFile

MAX_ITEMS = 400
"""Most items of a result, as many as a step can fan out over."""
Tempo = Annotated[float, Meta(ge=1, le=999)]


class QueryLibrary(Struct, frozen=True, forbid_unknown_fields=True):
    """All given fields must match; each word of `text` must be in name, label or tags. Key and tempo (quarter notes per
    minute, inclusive) are known of the user's MIDI files and of samples whose names state them. Keys match
    enharmonically: F# minor is Gb minor."""

    kind: Kind | None = None
    tags: tuple[str, ...] = ()
    text: str = ""
    key: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    tempo_from: Tempo | None = None
    tempo_to: Tempo | None = None


class ItemsFound(Struct, frozen=True):
    """Items in the library's order, then files by path; `left_out` counts those beyond the first 400."""

    items: tuple[LibraryItem, ...]
    left_out: int = 0


class FileShelf(Protocol):
    """The index of the user's own files."""

    def files(self, kinds: Sequence[FileKind]) -> Sequence[LibraryFile]:
        """Indexed files of these kinds by path; blocks until the database has answered."""
        ...


class LibraryService:
    """The tool `query_library`. `shelves` returns what ships with the program; it is called each time, as is `own`."""

    name = "library"
    limit = 4

    def __init__(self, shelves: Callable[[], Sequence[LibraryItem]], own: FileShelf) -> None:
        self._shelves = shelves
        self._own = own
        self.tools = (
            ToolSpec(
                "query_library", self.name, "2", "Instruments, kits, effects, styles, and the user's own MIDI files "
                "and samples by kind, tags, words, key and tempo. The path of a MIDI file is for import_midi.",
                input_schema(QueryLibrary), result_schema(ItemsFound), pure=True, safe_to_repeat=True,
            ),
        )

    async def call(self, call: Call) -> Outcome:
        """As `foresee`, in a thread, since an index may be large."""
        return await asyncio.to_thread(self.foresee, call)

    def foresee(self, call: Call) -> Outcome:
        """The items that match."""
        return Outcome(msgspec.to_builtins(found(taken(call.inputs, QueryLibrary), self._shelves(), self._own)))


def found(wanted: QueryLibrary, shelf: Iterable[LibraryItem], own: FileShelf) -> ItemsFound:
    """The items that match, at most 400; blocks until the database has answered. Raises `BadInput` for an invalid
    key."""
    fits = _Fits(wanted)
    kinds: list[FileKind] = [kind for kind in ("midi", "sample") if wanted.kind in (None, kind)]
    items = [item for item in shelf if fits.item(item)]
    files = [file for file in (own.files(kinds) if kinds else ()) if not file.fault and fits.file(file)]
    room = max(0, MAX_ITEMS - len(items))
    shown = (*items[:MAX_ITEMS], *(item_of(file) for file in files[:room]))
    return ItemsFound(shown, len(items) + len(files) - len(shown))


class _Fits:
    """A question, taken apart once."""

    def __init__(self, wanted: QueryLibrary) -> None:
        self._kind = wanted.kind
        self._tags = tagged(wanted.tags)
        self._words = wanted.text.casefold().split()
        self._key = None if wanted.key is None else _wanted_key(wanted.key)
        self._low = 0.0 if wanted.tempo_from is None else wanted.tempo_from
        self._high = 1e9 if wanted.tempo_to is None else wanted.tempo_to
        self._measured = wanted.key is not None or wanted.tempo_from is not None or wanted.tempo_to is not None
        self._timed = wanted.tempo_from is not None or wanted.tempo_to is not None

    def item(self, item: LibraryItem) -> bool:
        """Whether something that ships fits; it has neither key nor tempo."""
        if self._measured or self._kind not in (None, item.kind):
            return False
        return self._named(f"{item.name} {item.label} {' '.join(item.tags)}", item.tags)

    def file(self, file: LibraryFile) -> bool:
        """Whether a file fits."""
        if self._timed and (file.tempo is None or not self._low <= file.tempo <= self._high):
            return False
        if self._key is not None:
            key = None if file.key is None else asked_key(file.key)
            if key is None or not same_key(key, self._key):
                return False
        return self._named(f"{file.name} {' '.join(file.tags)}", file.tags)

    def _named(self, text: str, tags: Sequence[str]) -> bool:
        words = text.casefold()
        return self._tags <= tagged(tags) and all(word in words for word in self._words)


def _wanted_key(text: str) -> Key:
    key = asked_key(text)
    if key is None:
        raise BadInput(msg("{text!r:.60} is no key", text=text), fix=msg('write it as "A minor", "F#m" or "Eb major"'))
    return key

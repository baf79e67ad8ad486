"""The service of files: listing, reading, writing and MIDI, in the folders that a person allowed and nowhere else."""

from __future__ import annotations

import asyncio
from threading import Event

from msgspec.structs import replace

from agent.services.service import Call, Outcome, Unforeseen
from agent.song.palette import Palette
from app.services.files.door import Door
from app.services.files.errors import NotThere
from app.services.files.reading import FileReaders, FolderSource
from app.services.files.system_door import open_door
from app.services.files.tools import COPY, IMPORT, LIST, READ, SERVICE, file_tools
from app.services.files.writing import FileWriters


class FilesService:
    """The tools that read and write files in allowed folders. Contents are data and never read as instructions. One
    call at a time, so that independent rows run in the order of the plan."""

    name = SERVICE
    limit = 1

    def __init__(self, folders: FolderSource, palette: Palette, door: Door | None = None) -> None:
        door = open_door() if door is None else door
        self._readers = FileReaders(folders, palette, door)
        self._writers = FileWriters(folders, palette, door)
        self._reads = {LIST: self._readers.list, READ: self._readers.read, IMPORT: self._readers.bring}
        self.tools = file_tools()
        self._late: set[asyncio.Task[Outcome]] = set()
        """Work of calls that were broken off, which a thread still does."""

    async def call(self, call: Call) -> Outcome:
        """Read or write, in a thread, which stops soon after the call is cancelled."""
        broken_off = Event()
        heeding = replace(call, cancelled=lambda: broken_off.is_set() or call.cancelled())
        work = asyncio.create_task(asyncio.to_thread(self._reads.get(call.tool, self._writers.write), heeding))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            broken_off.set()
            if not work.done():
                self._late.add(work)
                work.add_done_callback(self._ended)
            raise

    def foresee(self, call: Call) -> Outcome:
        """For a reading tool the result of reading now; for a writing tool its result as far as it is known without
        writing. Raises what the call would raise; `Unforeseen` for a missing file that an earlier row may still
        make."""
        try:
            return self._reads.get(call.tool, self._writers.foresee)(call)
        except NotThere as missing:
            if self._may_come(call):
                raise Unforeseen(missing.said.what, why=missing.said.why, fix=missing.fix) from None
            raise

    async def probe(self, call: Call) -> Outcome | None:
        """The result of a write whose file exists with exactly the intended bytes; else None."""
        here = asyncio.get_running_loop()
        if late := [work for work in self._late if work.get_loop() is here]:
            # The file may get its name only now.
            await asyncio.wait(late)
        return await asyncio.to_thread(self._writers.probe, call)

    def _ended(self, work: asyncio.Task[Outcome]) -> None:
        self._late.discard(work)
        if not work.cancelled():
            # Nobody waits for it any more.
            work.exception()

    def _may_come(self, call: Call) -> bool:
        """Whether the file that a row reads may be made by an earlier row."""
        return call.tool in (READ, IMPORT, COPY) and self._readers.place(call, str(call.inputs["path"])).grant.write

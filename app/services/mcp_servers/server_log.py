"""What a server writes to its error stream, kept in a file that stays small and holds no secret."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from app.private_files import make_private_folder, private_opener
from app.services.mcp_servers.plain_text import Cleaner

MOST = 256 * 1024
"""Most bytes kept of one start of a server."""
_LINE = 8 * 1024


class ServerLog:
    """The log of one start of a server. Errors of the disk only lose the log."""

    def __init__(self, path: Path, clean: Cleaner) -> None:
        self._clean = clean
        self._left = MOST
        self._rest = b""
        self.last = ""
        """The last line that was not empty, without secrets."""
        self._file = None
        with suppress(OSError):
            make_private_folder(path.parent)
            self._file = open(path, "wb", opener=private_opener)  # noqa: SIM115 - `end` closes it

    def take(self, piece: bytes) -> None:
        """Add output; only whole lines are written, so that no secret is split and missed."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            self._write(line)
        if len(self._rest) > _LINE:
            # The end of a line this long is dropped with its beginning.
            self._write(b"(a line of more than 8 kB)")
            self._rest = b""

    def end(self) -> None:
        """Write the rest and close."""
        if self._rest:
            self._write(self._rest)
            self._rest = b""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _write(self, line: bytes) -> None:
        said = self._clean(line.decode(errors="replace"))
        self.last = said.strip() or self.last
        text = said.encode() + b"\n"
        if self._file is None or self._left < len(text):
            return
        self._left -= len(text)
        with suppress(OSError):
            self._file.write(text)
            self._file.flush()

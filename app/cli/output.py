"""Where a command's words go: one JSON document or pleasant text on stdout, progress on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from agent.errors import BandleaderError
from app.cli.errors import status_of
from app.cli.fixes import typed
from app.cli.streams import drop
from app.cli.terminal import PlainConsole, escaped, storable

Document = dict[str, Any]
_WIDTH = 120
"""Columns of text that is written to a file or pipe."""
_PROGRESS = 60
"""Columns of a progress line after its percentage."""


class _Text(PlainConsole):
    """Text for a reader who may go away: what comes after that is dropped, and the work goes on."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        drop(self.file)


class Output:
    """Output of one command: result on stdout, as a JSON document if `json`; notes, progress and errors on stderr."""

    def __init__(self, *, json: bool) -> None:
        self.json = json
        width = None if sys.stdout.isatty() else _WIDTH
        self.text = _Text(sys.stdout, width=width)
        self.notes = _Text(sys.stderr, soft_wrap=True)
        self._drawn = False

    def show(self, document: Document, human: Callable[[Console], None]) -> None:
        """Print the result: with `--json` the document, else what `human` prints."""
        if self.json:
            try:
                sys.stdout.write(escaped(msgspec.json.format(msgspec.json.encode(document), indent=1).decode()) + "\n")
                sys.stdout.flush()
            except BrokenPipeError:
                drop(sys.stdout)
        else:
            human(self.text)

    def line(self, document: Document, human: tuple[str, str]) -> None:
        """Print one of many results: with `--json` the document on one line, else the two texts, the second dimmed."""
        if self.json:
            try:
                sys.stdout.write(escaped(msgspec.json.encode(document).decode()) + "\n")
                sys.stdout.flush()
            except BrokenPipeError:
                drop(sys.stdout)
        else:
            self.text.print(Text.assemble(human[0], (human[1], "dim")), soft_wrap=True)

    def note(self, line: str, style: str = "dim") -> None:
        """Print a line on stderr, in a style of `rich`."""
        self.clear()
        self.notes.print(Text(line, style=style))

    def progress(self, share: float, what: str, left: str = "") -> None:
        """Print or update the progress line on stderr; nothing if that is no terminal. `share` is 0 to 1, `what` says
        what is being done; `left`, the remaining time in words, is never cut."""
        if self.notes.is_terminal and not self.json:
            line = f"{what:.{_PROGRESS - len(left)}}{left}"
            self.notes.print(Text(f"{share:4.0%} {line:<{_PROGRESS}}", style="dim"), end="\n" if share >= 1 else "")
            self._drawn = share < 1
            if share < 1:
                self.notes.control(Control(ControlType.CARRIAGE_RETURN))

    def clear(self) -> None:
        """Erase the progress line."""
        if self._drawn:
            self.notes.control(Control((ControlType.ERASE_IN_LINE, 2)))
            self._drawn = False

    def error(self, error: BandleaderError, *, shown: bool = False) -> int:
        """Print what happened, why and what to try; returns the exit status. `shown`: stdout has a document already, so
        none is written for the error."""
        code = status_of(error)
        what, why, fix = (storable(text) for text in (error.what, error.why, typed(error.fix)))
        self.notes.print(Text(f"error: {what}", style="bold red"))
        if why:
            self.notes.print(Text(f"why: {why}"))
        if fix:
            self.notes.print(Text(f"try: {fix}"))
        if self.json and not shown:
            parts = {"what": what, "why": why, "try": fix, "code": code}
            with suppress(OSError):
                self.show({"error": parts}, lambda _: None)
        return code

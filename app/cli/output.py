"""Where a command's words go: one JSON document or pleasant text on stdout, progress on stderr."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO, Any

import msgspec
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook
from rich.control import Control
from rich.segment import ControlType, Segment
from rich.text import Text

from agent.errors import BandleaderError
from app.cli.errors import status_of
from app.cli.fixes import typed
from app.cli.streams import drop

_HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with "�" for each character that would move the cursor, reverse the text or be invisible."""
    return _HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def escaped(json: str) -> str:
    """The JSON text with control and invisible characters as escapes; its meaning is the same."""
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def storable(text: str) -> str:
    """The text with "�" for undecodable bytes of a file name or argument."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


class PlainConsole(Console):
    """A `rich` console that prints strings without markup, with "�" for control and invisible characters; style only
    comes from `Text`. `width` is in characters, None for the terminal's; with `soft_wrap` lines are not broken."""

    def __init__(self, file: IO[str], *, width: int | None = None, soft_wrap: bool = False) -> None:
        super().__init__(
            file=file, highlight=False, markup=False, emoji=False, width=width, soft_wrap=soft_wrap
        )
        self.push_render_hook(_Shown())


class _Shown(RenderHook):
    """Cleans what was laid out, last of all."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Clean(one) for one in renderables]


class _Clean:
    def __init__(self, inner: RenderableType) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for segment in console.render(self._inner, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))


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

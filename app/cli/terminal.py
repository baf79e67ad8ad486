"""Consoles on which the words of others are only words: never markup, never control characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook
from rich.segment import Segment

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

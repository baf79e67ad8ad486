"""One event of a reply's stream, and how a text is dealt out in pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from model_wire_script import Says, Tokens


@dataclass(frozen=True)
class Frame:
    """One server-sent event. `content` counts the characters of the reply's text or arguments in it."""

    data: Any
    event: str | None = None
    content: int = 0

    def wire(self, named: bool = True) -> bytes:
        """The event as it is sent."""
        head = f"event: {self.event}\n" if named and self.event else ""
        data = self.data if isinstance(self.data, str) else json.dumps(self.data, ensure_ascii=False)
        return f"{head}data: {data}\n\n".encode("utf-8", "surrogatepass")


def pieces(text: str, size: int) -> Iterator[str]:
    """The text in pieces of `size` characters."""
    for start in range(0, len(text), size):
        yield text[start : start + size]


def told(reply: Says) -> Tokens:
    """The usage where a form demands one."""
    return reply.tokens or Tokens(0, 0)

"""What is refused of a machine's words, and how much of them is shown."""

from __future__ import annotations

LARGEST = 2**60
"""Bytes, files and the like; no machine has more, and JSON keeps such numbers whole."""
MOST_LINES = 100_000


class Nonsense(Exception):
    """A machine's words are not what its system says. The text is the reason."""


def number(text: str, what: str) -> int:
    """A whole number that can be true."""
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and int(text) <= LARGEST):
        raise Nonsense(f"{what} is {shown(text)}")
    return int(text)


def lines(text: str) -> list[str]:
    """The lines with something on them."""
    found = [line for line in text.splitlines() if line.strip()]
    if not found or len(found) > MOST_LINES:
        raise Nonsense("it says nothing" if not found else "it says too much")
    return found


def plain_name(text: str, what: str) -> str:
    """A name that can be shown."""
    name = text.strip()
    if not name or len(name) > 200 or not name.isprintable():
        raise Nonsense(f"{what} is {shown(text)}")
    return name


def shown(text: str) -> str:
    """The beginning of a machine's words, with nothing in them that acts."""
    return ascii(text[:40])

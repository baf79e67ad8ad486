"""What is refused of a machine's words, and how much of them is shown."""

from __future__ import annotations

LARGEST = 2**60
"""Largest accepted number of bytes, files and the like; JSON keeps numbers up to it exact."""
MOST_LINES = 100_000


class Nonsense(Exception):
    """A machine's output is not what its system prints. The text is the reason."""


def number(text: str, what: str) -> int:
    """The whole number in a text. Raises `Nonsense` for anything else or an implausible one; `what` names it."""
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and int(text) <= LARGEST):
        raise Nonsense(f"{what} is {shown(text)}")
    return int(text)


def lines(text: str) -> list[str]:
    """The non-empty lines. Raises `Nonsense` for none or too many."""
    found = [line for line in text.splitlines() if line.strip()]
    if not found or len(found) > MOST_LINES:
        raise Nonsense("it says nothing" if not found else "it says too much")
    return found


def plain_name(text: str, what: str) -> str:
    """A printable name. Raises `Nonsense` for anything else; `what` names it."""
    name = text.strip()
    if not name or len(name) > 200 or not name.isprintable():
        raise Nonsense(f"{what} is {shown(text)}")
    return name


def shown(text: str) -> str:
    """The beginning of a machine's output in ASCII, with escapes."""
    return ascii(text[:40])

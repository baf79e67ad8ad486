"""Files as accidents and malice leave them: contents changed in every way, and other things in the place of a file."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from pathlib import Path

HUGE = 10_000_000
_WORDS = (
    *'"[]{}=#:,<>', "", "nan", "-inf", "\x00", "\ud7ff", "1e999", "0x", "true", "null", "-1", "0", "''", "[[parts]]\n",
    "{0.__class__}", "{count:99999999}", "<<request>>", "<!--", "9" * 400, "1" * 5000, "\\ud800", "../../etc/passwd",
)
_VALUES = ("[]", "{}", '""', "-1", "0", "1e308", "10000000000000", "true", '"x"', "[[[[]]]]", "1979-05-27", "nan")
_ODD_BYTES = (
    b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x1b[2J", b"\r", b"\xe2\x80\xae", b"\xc0\xaf",
)
_NESTS = (("[", "]"), ('{"a":', "}"), ("{a=", "}"), ("a.", ""), ("(", ")"))


def rewritten(text: str, dice: random.Random) -> str:
    """The text with one word replaced, moved, copied or removed, or without a line."""
    tokens = re.split(r"(\W)", text)
    at = dice.randrange(len(tokens))
    match dice.randrange(5):
        case 0:
            tokens[at] = dice.choice(_WORDS)
        case 1:
            other = dice.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 2:
            del tokens[at : at + dice.randint(1, 40)]
        case 3:
            tokens[at:at] = tokens[(begin := dice.randrange(len(tokens))) : begin + dice.randint(1, 60)]
        case _:
            lines = text.split("\n")
            lines.pop(dice.randrange(len(lines)))
            return "\n".join(lines)
    return "".join(tokens)


def damaged(content: bytes, dice: random.Random) -> bytes:
    """The content changed in one of a dozen ways; once in a while it is ten million bytes long or more."""
    return dice.choice(_WAYS)(content, dice)


def _flipped(content: bytes, dice: random.Random) -> bytes:
    changed = bytearray(content or b"\0")
    for _ in range(dice.randint(1, 8)):
        place = dice.randrange(len(changed) * 8)
        changed[place // 8] ^= 1 << place % 8
    return bytes(changed)


def _cut(content: bytes, dice: random.Random) -> bytes:
    return content[: dice.randint(0, len(content))]


def _words(content: bytes, dice: random.Random) -> bytes:
    text = content.decode("utf-8", "replace")
    for _ in range(dice.randint(1, 3)):
        text = rewritten(text, dice)
    return text.encode("utf-8", "surrogatepass")


def _other_type(content: bytes, dice: random.Random) -> bytes:
    """One value of `key = value` or `"key": value` is of another type."""
    text = content.decode("utf-8", "replace")
    places = list(re.finditer(r"(?m)(?<=[=:])[ \t]*[^\n,}]+", text))
    if not places:
        return dice.choice(_VALUES).encode()
    place = dice.choice(places)
    return f"{text[: place.start()]} {dice.choice(_VALUES)}{text[place.end() :]}".encode("utf-8", "surrogatepass")


def _deep(content: bytes, dice: random.Random) -> bytes:
    opening, closing = dice.choice(_NESTS)
    many = dice.choice((50, 500, 5000, 100_000))
    value = f"{opening * many}1{closing * many if dice.random() < 0.7 else ''}"
    key = dice.choice(("", "a = ", "zoom = ", '{"zzz": ', '{"keys": '))
    return f"{key}{value}{'}' if key.startswith('{') else ''}\n".encode() + (content if dice.random() < 0.5 else b"")


def _inserted(content: bytes, dice: random.Random) -> bytes:
    odd = dice.choice(_ODD_BYTES)
    at = dice.choice((0, dice.randint(0, len(content)), len(content)))
    return content[:at] + odd * dice.choice((1, 1, 1000)) + content[at:]


def _other_encoding(content: bytes, dice: random.Random) -> bytes:
    return content.decode("utf-8", "replace").encode(dice.choice(("utf-16", "utf-32", "utf-8-sig", "cp037")), "replace")


def _repeated(content: bytes, dice: random.Random) -> bytes:
    unit = dice.choice((content, b"a = 1\n", b"[[a]]\n", b"<!--", b"<<", b'"', b"a.", b"#", b" ")) or b"x"
    return content + unit * (dice.choice((1000, 50_000, 250_000)) // len(unit))


def _one_line(_: bytes, dice: random.Random) -> bytes:
    many = dice.choice((HUGE // 50, HUGE // 50, HUGE // 50, HUGE))
    return dice.choice((b"a", b"[", b'"', b"9", b"\0", b"\xf0\x9f\x8e\xb5")) * many


def _noise(_: bytes, dice: random.Random) -> bytes:
    return dice.randbytes(dice.choice((0, 1, 16, 1000, 100_000)))


_WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flipped, _flipped, _cut, _words, _words, _words, _other_type, _other_type, _other_type, _deep, _inserted,
    _other_encoding, _repeated, _noise, _noise, _one_line,
)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.mkdir()


def _loop(path: Path) -> None:
    path.symlink_to(path)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _itself(path: Path) -> None:
    path.symlink_to("/proc/self/mem")


def _gone(path: Path) -> None:
    path.symlink_to(path.with_name("nobody"))


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3 * 1024**3)


def _forbidden(path: Path) -> None:
    path.write_bytes(b"x")
    path.chmod(0)


IN_PLACE: tuple[Callable[[Path], None], ...] = (_pipe, _folder, _loop, _endless, _itself, _gone, _sparse, _forbidden)
"""What may stand where a file is expected; POSIX only."""


def clear(path: Path) -> None:
    """Whatever stands there is there no more."""
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)

"""Odd versions of good inputs: bytes and JSON values changed by a seeded chance."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any, TypeAlias

Json: TypeAlias = Any
Place: TypeAlias = tuple[Any, Any]
"""A list or an object, and the index or key of one of its values."""

WORST_NUMBERS = (0, -1, 1, 2**31, 2**53, 2**63 - 1, 2**63, -(2**63), 2**200, 0.1, -0.0, 1e-320, 1e308, -1e308)
WORST_TEXTS = (
    "", " ", "\0", "\x1b[2J", "\ud800", "\u202e", "é" * 300, "x" * 20_000, "a:b@" + "." * 5_000 + " x", "{{", "}}",
    "{{item.x}}", "{{s1.track_id}}", "{{s999.x[99999999999]}}", "[from Step 1]", "step 1's track", "../../etc/passwd",
    "/dev/zero", "CON", "=1", "%s%n", "<b>x</b>", "```\n" * 500, "NaN", "1e999", "password=hunter2x9", "\n" * 3_000,
)


def mutated_bytes(data: bytes, dice: random.Random) -> bytes:
    """The data with one to forty bytes set, inserted or removed, or a part of it repeated."""
    bad = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5, 40))):
        at = dice.randrange(len(bad) or 1)
        match dice.randrange(9):
            case 0:
                del bad[at : at + dice.randrange(1, 40)]
            case 1:
                bad[at:at] = dice.randbytes(dice.randrange(1, 20))
            case 2:
                bad[at:at] = bad[at : at + dice.randrange(1, 400)] * dice.choice((1, 2, 50))
            case 3:
                bad[at : at + 4] = dice.choice((b"\xff\xff\xff\x7f", b"\x00\x00\x00\x00", b"\x7f\xff\xff\xff"))
            case _:
                bad[at : at + 1] = bytes((dice.choice((0, 0xFF, 0x7F, 0x80, dice.randrange(256))),))
    return bytes(bad)


def mutated_json(value: Json, dice: random.Random) -> Json:
    """The value with one to five changes: other types, worst numbers and texts, what is missing, doubled, too deep."""
    changed = copy.deepcopy(value)
    for _ in range(dice.choice((1, 1, 1, 2, 5))):
        places = list(_places(changed))
        if places:
            _change(*dice.choice(places), dice)
    return changed


def _change(holder: Any, key: Any, dice: random.Random) -> None:
    match dice.randrange(10):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[dice.choice(("", "extra", "__class__", "id", "x" * 1_000))] = holder[key]
        case 1 | 2 if isinstance(holder, list):
            holder[key:key] = [holder[key]] * dice.choice((1, 2, 300))
        case 3:
            holder[key] = _deep(dice.choice((3, 30, 600)), dice)
        case 4:
            holder[key] = dice.choice((None, True, False, [], {}, [[]], [holder[key]], {"a": holder[key]}))
        case 5 | 6:
            holder[key] = dice.choice(WORST_TEXTS)
        case _:
            holder[key] = dice.choice(WORST_NUMBERS)


def _deep(levels: int, dice: random.Random) -> Json:
    value: Json = 1
    listed = dice.random() < 0.5
    for _ in range(levels):
        value = [value] if listed else {"a": value}
    return value


def _places(value: Json) -> Iterator[Place]:
    """Every place in it, without recursion: values may be deep."""
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        keys = holder if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for key in keys:
            yield holder, key
            waiting.append(holder[key])

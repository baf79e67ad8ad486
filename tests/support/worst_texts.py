"""Texts on which a regular expression takes longest: made from its parse, one repetition at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_SIGNS = [chr(number) for number in range(32, 127)] + ["\n", "\t", "\0", "é", "–", "…", "’", "²"]
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_ONE_SIGN = (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY)
_MOST = 6
"""Ways that are tried of what is many: to lead to a repetition, to repeat, and to end."""
_MANY = 60
"""A repetition bounded by less is as good as none: it multiplies the time, and does not let it grow."""


def worst_texts(pattern: re.Pattern[str]) -> Iterator[Callable[[int], str]]:
    """For each way to make it slow a function that makes such a text of about so many signs.

    A text is what leads to a repetition, what it repeats, and an end that spoils the match: so are found nested and
    neighbouring repetitions that share signs, and those that a search begins anew at each place.
    """
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    signs = _kinds_of_signs(tree, pattern.flags)
    seen: set[tuple[str, str]] = set()
    for lead, body in _repetitions(tree, [""], signs, pattern.flags):
        own = [sign for sign in signs if any(_matches(node, sign, pattern.flags) for node in _one_sign_nodes(body))]
        pumps = [lead, *(lead + sign for sign in own[:2]), *_examples(body, signs, pattern.flags)[:3], *own]
        for pump in islice(filter(None, pumps), 2 * _MOST):
            if (lead, pump) not in seen:
                seen.add((lead, pump))
                yield from (partial(_text, lead, pump, end) for end in ("", *signs[:_MOST]))


def _text(lead: str, pump: str, end: str, length: int) -> str:
    return lead + pump * (length // len(pump)) + end


def repeats_without_end(pattern: re.Pattern[str]) -> bool:
    """Whether some part may repeat as often as the text is long."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    return any(True for _ in _repetitions(tree, [""], ["a"], pattern.flags))


def _one_sign_nodes(tree: Any) -> Iterator[Any]:
    for kind, value in tree:
        if kind in _ONE_SIGN:
            yield kind, value
        for inner in _inner(kind, value):
            yield from _one_sign_nodes(inner)


def _inner(kind: Any, value: Any) -> Iterable[Any]:
    if kind in _REPEATS:
        return [value[2]]
    if kind is op.SUBPATTERN:
        return [value[-1]]
    if kind is op.BRANCH:
        return list(value[1])
    if kind in (op.ASSERT, op.ASSERT_NOT):
        return [value[1]]
    return [value] if kind is op.ATOMIC_GROUP else []


def _matches(node: Any, sign: str, flags: int) -> bool:
    """Whether a part of an expression that takes one sign takes this one."""
    kind, value = node
    code = ord(sign)
    both = {ord(sign.lower()), ord(sign.upper())} if flags & re.IGNORECASE and len(sign.upper()) == 1 else {code}
    if kind is op.LITERAL:
        return value in both
    if kind is op.NOT_LITERAL:
        return value not in both
    if kind is op.ANY:
        return sign != "\n" or bool(flags & re.DOTALL)
    turned = value[0][0] is op.NEGATE
    return turned is not any(_in_set(one, sign, both) for one in value[int(turned):])


def _in_set(one: Any, sign: str, both: set[int]) -> bool:
    kind, value = one
    if kind is op.LITERAL:
        return value in both
    if kind is op.RANGE:
        return any(value[0] <= code <= value[1] for code in both)
    told = {op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
            op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W"}
    return re.match(told[value], sign) is not None


def _kinds_of_signs(tree: Any, flags: int) -> list[str]:
    """One sign of each kind that the expression tells apart."""
    nodes = list(_one_sign_nodes(tree))
    kinds: dict[tuple[bool, ...], str] = {}
    for sign in _SIGNS:
        kinds.setdefault(tuple(_matches(node, sign, flags) for node in nodes), sign)
    return list(kinds.values())


def _examples(tree: Any, signs: list[str], flags: int) -> list[str]:
    """A few texts that a part of an expression takes, each of its alternatives among them."""
    found = [""]
    for kind, value in tree:
        ways: list[str]
        if kind in _ONE_SIGN:
            ways = [next((sign for sign in _SIGNS if _matches((kind, value), sign, flags)), "")]
            if kind is op.LITERAL and not ways[0]:
                ways = [chr(value)]
        elif kind in _REPEATS:
            least = min(value[0], 200)
            ways = [one * least for one in _examples(value[2], signs, flags)] if least else [""]
        elif kind is op.BRANCH:
            ways = [one for branch in value[1] for one in _examples(branch, signs, flags)]
        elif kind is op.ASSERT and value[0] < 0:
            ways = _examples(value[1], signs, flags)
        else:
            ways = [one for inner in _inner(kind, value) if kind not in (op.ASSERT, op.ASSERT_NOT)
                    for one in _examples(inner, signs, flags)] or [""]
        found = list(islice(dict.fromkeys(text + way for way in ways for text in found), _MOST))
    return found


def _repetitions(tree: Any, leads: list[str], signs: list[str], flags: int) -> Iterator[tuple[str, Any]]:
    """Each repetition without a small bound, with what may stand before it."""
    for kind, value in tree:
        if kind in _REPEATS:
            if value[1] > _MANY:
                yield from ((lead, value[2]) for lead in leads)
            yield from _repetitions(value[2], leads, signs, flags)
        else:
            for inner in _inner(kind, value):
                yield from _repetitions(inner, leads, signs, flags)
        ways = _examples([(kind, value)], signs, flags)
        leads = list(islice(dict.fromkeys(lead + way for way in ways for lead in leads), _MOST))

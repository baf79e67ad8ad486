"""Every regular expression of the program takes time in proportion to its text, whatever the text."""

from __future__ import annotations

import ast
import heapq
import re
from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.growth import grows_in_proportion, seconds_of
from tests.support.worst_texts import repeats_without_end, worst_texts

ROOT = Path(__file__).parent.parent
METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
_LOOKED_AT, _MEASURED = 300, 2
_SLOW = 0.02
_FIRST_LENGTHS = (20, 30, 40, 60, 100, 200)
"""Where time doubles with a few signs more, it is told before it would have no end."""


class Expression(NamedTuple):
    """An expression of the program, and the ways in which its file uses it."""

    where: str
    pattern: re.Pattern[str]
    methods: tuple[str, ...]


def expressions() -> Iterator[Expression]:
    """Each that is written in the code; those made of a name with `re.escape` hold no repetition of their own."""
    for path in sorted(path for folder in ("agent", "app") for path in (ROOT / folder).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "import re" not in source:
            continue
        nodes = list(ast.walk(ast.parse(source)))
        _name_uses(nodes)
        for call in nodes:
            if isinstance(call, ast.Call) and (pattern := _compiled(call)) is not None:
                methods = getattr(call, "uses", None) or [str(getattr(call.func, "attr", ""))]
                known = tuple(method for method in METHODS if method in methods)
                yield Expression(f"{path.relative_to(ROOT)}:{call.lineno}", pattern, known or ("search", "fullmatch"))


def _name_uses(nodes: list[ast.AST]) -> None:
    used: dict[str, list[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used.setdefault(node.value.id, []).append(node.attr)
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            names = {target.id for target in node.targets if isinstance(target, ast.Name)}
            node.value.uses = [use for name in names for use in used.get(name, ())]  # type: ignore[attr-defined]


def _compiled(call: ast.Call) -> re.Pattern[str] | None:
    """The expression of `re.compile("...")`, `re.sub("...", ...)` and their like."""
    function = call.func
    if not (isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re"):
        return None
    if function.attr not in ("compile", *METHODS) or not isinstance(call.args[0], ast.Constant):
        return None
    flags = [node for node in ast.walk(call) if isinstance(node, ast.Attribute) and node.attr.isupper()]
    together = 0
    for flag in flags:
        together |= getattr(re, flag.attr)
    return re.compile(str(call.args[0].value), together)


def use(pattern: re.Pattern[str], method: str, text: str) -> None:
    if method in ("sub", "subn"):
        pattern.sub("", text)
    else:
        found = getattr(pattern, method)(text)
        deque(found if method == "finditer" else (), maxlen=0)


def slowness(pattern: re.Pattern[str], method: str) -> str:
    """How it grows with the worst of its texts, empty where in proportion."""
    work = partial(use, pattern, method)
    makers = list(worst_texts(pattern))
    for length in _FIRST_LENGTHS:
        for maker in makers:
            if seconds_of(work, maker(length)) > _SLOW:
                return f"{length} signs take more than {_SLOW} s, with {maker(length)!r}"
    worst = heapq.nlargest(_MEASURED, makers, key=lambda maker: seconds_of(work, maker(_LOOKED_AT)))
    return next(filter(None, (grows_in_proportion(work, maker) for maker in worst)), "")


FOUND = [one for one in expressions() if repeats_without_end(one.pattern)]


@pytest.mark.parametrize("expression", FOUND, ids=[one.where for one in FOUND])
def test_an_expression_is_linear(expression: Expression) -> None:
    for method in expression.methods:
        assert not slowness(expression.pattern, method), f"{method} of {expression.pattern.pattern}"


@pytest.mark.parametrize(
    ("planted", "method"),
    [
        (r"^[^\s:@/]+:[^\s@/]+@[^\s@]+\.[^\s@]+$", "search"),
        (r"BEGIN [A-Z ]*PRIVATE KEY", "search"),
        (r"\beyJ[\w-]{10,}\.[\w-]{10,}\.", "search"),
        (r"(?s)```[a-z]*\s*\n(.*?)```", "search"),
        (r"\s+(?:\d+|again)$", "sub"),
        (r"(\S.*?)\s+(\d{1,19})\s+(/.*)", "fullmatch"),
        (r"\{\{\s*([^{}]{1,80}?)\s*((?:\.\w+)*)\s*\}\}", "sub"),
        (r"(a|aa)+$", "match"),
        (r"[a-z]++!", "search"),
    ],
)
def test_one_that_is_not_linear_is_caught(planted: str, method: str) -> None:
    assert slowness(re.compile(planted), method)


def test_the_search_for_expressions_finds_those_that_there_are() -> None:
    assert {one.where.partition(":")[0] for one in FOUND} >= {
        "agent/plan/normalise.py", "agent/plan/secret_texts.py", "app/services/machines/posix_answers.py",
    }

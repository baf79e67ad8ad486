"""Every statement about runs is carried by a test, and no test names one that is not written."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_STATEMENT = re.compile(r"^- \*\*(\d+\.\d+)\*\* (.+)$", re.MULTILINE)


def statements(text: str) -> list[str]:
    """The numbers of all statements, in order."""
    return [number for number, _ in _STATEMENT.findall(text)]


def carried(source: str) -> set[str]:
    """The numbers that tests of a file name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.semantics":
            found |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}  # type: ignore[misc]
    return found


def in_tests() -> dict[Path, set[str]]:
    """What each file of tests carries."""
    return {path: carried(path.read_text("utf-8")) for path in sorted((ROOT / "tests").rglob("test_*.py"))}


def test_every_statement_is_carried_by_a_test() -> None:
    written = statements((ROOT / "docs" / "semantics.md").read_text("utf-8"))
    named = set().union(*in_tests().values())
    assert [number for number in written if number not in named] == []


def test_every_number_that_a_test_names_is_written() -> None:
    written = set(statements((ROOT / "docs" / "semantics.md").read_text("utf-8")))
    assert {str(path): numbers - written for path, numbers in in_tests().items() if numbers - written} == {}


def test_statements_are_numbered_without_a_gap() -> None:
    text = (ROOT / "docs" / "semantics.md").read_text("utf-8")
    expected, chapter, last = [], 0, 0
    for number in statements(text):
        first, _ = (int(part) for part in number.split("."))
        chapter, last = (first, 1) if first != chapter else (chapter, last + 1)
        expected.append(f"{chapter}.{last}")
    assert statements(text) == expected
    assert [int(number) for number in re.findall(r"^## (\d+)\. ", text, re.MULTILINE)] == list(range(1, chapter + 1))


@pytest.mark.parametrize(
    "source", ['@pytest.mark.semantics("1.1", "2.2")\ndef test(): ...', 'pytest.mark.semantics("1.1")']
)
def test_markers_are_found_wherever_they_stand(source: str) -> None:
    assert "1.1" in carried(source)
    assert statements("- **1.1** Words.\n- 1.2 none\n**1.3** none\n") == ["1.1"]

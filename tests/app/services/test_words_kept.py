"""The words of a language are checked and parsed once for as long as its files stay the same."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from inspect import unwrap
from pathlib import Path

import pytest

from agent.composer.styles import StyleError
from agent.composer.vocabulary import Vocabulary
from app.services import style_files
from app.services.kept_tables import KeptTables

# Other tests read the words once for all of them.
read_vocabulary, read_chat_words = unwrap(style_files.read_vocabulary), unwrap(style_files.read_chat_words)
RESOURCES = Path(__file__).parents[3] / "resources"


def forms_of(words: Vocabulary) -> list[object]:
    return [words.parser.elements(form) for operation in words.operations for form in operation.forms]


def refused(*_: object) -> None:
    raise AssertionError("checked again")


@pytest.fixture
def resources(tmp_path: Path) -> Path:
    shutil.copytree(RESOURCES / "language", tmp_path / "resources" / "language")
    return tmp_path / "resources"


@pytest.fixture
def cache(tmp_path: Path, resources: Path) -> Path:
    """The cache of a process that has read the words."""
    kept = KeptTables(tmp_path / "cache")
    read_vocabulary(resources, kept=kept)
    read_chat_words(resources, kept=kept)
    kept.write()
    return tmp_path / "cache"


def test_words_from_the_cache_are_those_of_the_files(
    resources: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = read_vocabulary(resources)
    forms = forms_of(fresh)
    for check in ("check_vocabulary", "check_chat_words"):
        monkeypatch.setattr(f"app.services.style_files.{check}", refused)
    monkeypatch.setattr("agent.composer.phrasing.FormParser._parsed", refused)
    kept = KeptTables(cache)
    words = read_vocabulary(resources, kept=kept)
    assert words == fresh
    assert forms_of(words) == forms
    assert read_chat_words(resources, kept=kept)


@pytest.mark.parametrize(
    ("name", "read"), [("english", read_vocabulary), ("english_chat", read_chat_words)]
)
def test_a_form_that_is_broken_later_is_told(
    resources: Path, cache: Path, name: str, read: Callable[..., object]
) -> None:
    file = resources / "language" / f"{name}.toml"
    text = file.read_text("utf-8")
    # Whole TOML, and a pattern like others: only the check knows that no reader has this name.
    file.write_text(re.sub(r"^([^#\n]*)\{\w+\}", r"\1{nothing}", text, count=1, flags=re.MULTILINE), "utf-8")
    with pytest.raises(StyleError, match="nothing"):
        read(resources, kept=KeptTables(cache))

"""The prompts that ship, and those that a musician writes."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from agent.model_planner.prompt.prompts import PLACEHOLDERS, PromptError
from app.services.prompt_files import read_prompts

RESOURCES = Path(__file__).parents[3] / "resources"


def test_every_prompt_ships_and_is_explained() -> None:
    prompts = read_prompts(RESOURCES)
    told = (RESOURCES / "prompts" / "README.md").read_text(encoding="utf-8")
    for name, placeholders in PLACEHOLDERS.items():
        assert f"`{name}.md`" in told
        filled = prompts.filled(name, **{one: f"[{one}]" for one in placeholders})
        assert all(f"[{one}]" in filled for one in placeholders)
        assert "<<" not in filled
        assert "<!--" not in filled
        [line] = [line for line in told.splitlines() if f"| `{name}.md`" in line]
        assert re.findall(r"<<(\w+)>>", line) == list(placeholders)


def test_a_file_of_the_user_replaces_one_of_ours(tmp_path: Path) -> None:
    (tmp_path / "steer.md").write_text("<!-- mine -->\nThey add: <<words>>", encoding="utf-8")
    (tmp_path / "README.md").write_text("notes", encoding="utf-8")
    prompts = read_prompts(RESOURCES, tmp_path)
    assert prompts.filled("steer", words="louder") == "They add: louder"
    ours = read_prompts(RESOURCES)
    assert prompts.filled("probe") == ours.filled("probe")
    assert prompts.fingerprint != ours.fingerprint


def test_a_folder_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    assert read_prompts(RESOURCES, tmp_path / "none").fingerprint == read_prompts(RESOURCES).fingerprint


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("steer.md", "They add: <<wrods>> <<words>>", "<<wrods>> is no placeholder"),
        ("steer.md", "They add something.", "<<words>> is missing"),
        ("steer.md", "<!-- only a note -->\n", "is empty"),
        ("plans.md", "anything", "no prompt of this name"),
    ],
)
def test_a_wrong_prompt_is_named_with_its_file(tmp_path: Path, name: str, text: str, what: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(PromptError, match=re.escape(what)) as caught:
        read_prompts(RESOURCES, tmp_path)
    assert str(tmp_path / name) in caught.value.what
    assert caught.value.advice


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "steer.md").write_bytes(b"\xff\xfe\x00<<words>>")
    with pytest.raises(PromptError, match=r"steer\.md is no text"):
        read_prompts(RESOURCES, tmp_path)


def test_what_is_opened_and_never_closed_is_no_comment_and_costs_no_time(tmp_path: Path) -> None:
    (tmp_path / "steer.md").write_text("<!-- a --> <!---->\n<<words>>" + "<!--" * 40_000, encoding="utf-8")
    began = time.thread_time()
    filled = read_prompts(RESOURCES, tmp_path).filled("steer", words="louder")
    assert filled == "louder" + "<!--" * 40_000
    # A search from each opening to the end would take minutes.
    assert time.thread_time() - began < 5


def test_files_that_are_no_prompts_are_not_even_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plans.md")
    with pytest.raises(PromptError, match="no prompt of this name"):
        read_prompts(RESOURCES, tmp_path)


def test_what_is_filled_in_is_never_looked_into_again() -> None:
    prompts = read_prompts(RESOURCES)
    filled = prompts.filled("part", title="<<rows>>", part="<<title>>", rows="none")
    assert "<<rows>>" in filled
    assert "<<title>>" in filled

"""The words of talk are data: a file that is wrong is told by its name and key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from chatting import RESOURCES

from agent.composer.styles import StyleError
from app.services.style_files import read_chat_words


@pytest.mark.parametrize(("old", "new", "told"), [
    ('"<what> key"', '"<nothing> key"', "topics 'key'"),
    ('"<what> key"', '"{nothing} key"', "topics 'key'"),
    ('topic = "tempo"', 'topic = "tempi"', "topics"),
    ('Greek = "α', 'Greek = "ω-α', "Greek"),
    ('[reactions]', '[reactions]\nshrug = ["eh"]', "shrug"),
])  # fmt: skip
def test_what_is_wrong_in_the_file_is_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    shutil.copytree(RESOURCES / "language", tmp_path / "language")
    file = tmp_path / "language" / "english_chat.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(StyleError) as found:
        read_chat_words(tmp_path)
    assert "english_chat.toml" in found.value.what
    assert told in f"{found.value.what} {found.value.why}"

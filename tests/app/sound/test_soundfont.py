"""Which bank is played: the chosen one, the one in the environment, a good one, the carried one."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from agent.errors import Blame
from app.sound import soundfont as module
from app.sound.errors import SoundError
from app.sound.soundfont import VARIABLE, find_soundfont

BANK = b"RIFF\x04\x00\x00\x00sfbk"


def bank(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(BANK)
    return path


def test_the_choice_comes_before_the_environment(tmp_path: Path) -> None:
    chosen, named = bank(tmp_path / "chosen.sf2"), bank(tmp_path / "named.sf3")
    assert find_soundfont(chosen, {VARIABLE: str(named)}).path == chosen
    assert find_soundfont(None, {VARIABLE: str(named)}).path == named


def test_a_good_bank_of_the_system_comes_before_the_carried_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_folders", lambda: iter((tmp_path / "a", tmp_path / "b")))
    assert find_soundfont(environment={}).path.name == "TimGM6mb.sf2"
    from_worst = "a/FluidR3_GM.sf2", "a/FluidR3Mono_GM.sf3", "a/MuseScore_General.sf3", "b/MuseScore_General_Lite.sf3"
    for better in from_worst:
        good = bank(tmp_path / better)
        assert find_soundfont(environment={}).path == good


@pytest.mark.parametrize("content", [None, b"", b"RIFF\0\0\0\0WAVE" + b"\0" * 50])
def test_a_named_bank_that_is_unusable_is_never_passed_over(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "odd.sf2"
    if content is not None:
        path.write_bytes(content)
    for choice, environment in ((path, {}), (None, {VARIABLE: str(path)})):
        with pytest.raises(SoundError) as caught:
            find_soundfont(choice, environment)
        assert "odd.sf2" in caught.value.what
        assert caught.value.why


def test_no_bank_at_all_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_folders", lambda: iter(()))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(SoundError) as caught:
        find_soundfont(environment={})
    assert caught.value.blame is Blame.MACHINE
    assert VARIABLE in caught.value.advice


def test_the_digest_follows_the_content(tmp_path: Path) -> None:
    first = find_soundfont(bank(tmp_path / "a.sf2"))
    same = find_soundfont(bank(tmp_path / "b.sf2"))
    (tmp_path / "c.sf2").write_bytes(BANK + b"more")
    assert first.digest == same.digest != find_soundfont(tmp_path / "c.sf2").digest

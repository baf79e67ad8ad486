"""The doctor: every part that fails is named, with what to do about it."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import keyring
import pytest
from keyring.backends import fail

from app.bootstrap import open_studio
from app.paths import Paths
from app.sound import soundfont
from app.storage.keyring import Keys
from app.studio.doctor import Check, examine

PARTS = [
    "python", "synth", "soundfont", "good sounds", "sound device", "keyring", "model keys", "privacy", "database",
    "exports folder", "resources", "own styles", "added services",
]


def look(paths: Paths, **environment: str) -> dict[str, Check]:
    health = examine(paths, Keys(), environment)
    assert [check.name for check in health.checks] == PARTS
    assert all(check.detail for check in health.checks)
    assert all(bool(check.fix) != check.ok for check in health.checks)
    bad = {check.name for check in health.checks if not check.ok}
    assert health.ok == (not bad - {"good sounds", "sound device", "keyring", "own styles", "privacy"})
    return {check.name: check for check in health.checks}


def test_all_that_is_needed_works_here_and_nothing_is_made_by_looking(paths: Paths) -> None:
    found = look(paths)
    assert all(found[name].ok for name in PARTS if name not in ("good sounds", "sound device", "keyring"))
    assert not paths.data.exists()


def test_a_database_that_is_there_is_opened(paths: Paths) -> None:
    asyncio.run(open_studio(paths).close())
    assert "sound" in look(paths)["database"].detail


def test_a_damaged_database(paths: Paths) -> None:
    asyncio.run(open_studio(paths).close())
    paths.database.write_text("no database\n" * 99)
    check = look(paths)["database"]
    assert not check.ok
    assert str(next(paths.backups.iterdir())) in check.fix


@pytest.mark.parametrize("damage", ["DELETE FROM object", "UPDATE object SET bytes = substr(bytes, 1, 8)"])
def test_a_song_that_cannot_be_read_is_told(paths: Paths, damage: str) -> None:
    async def stored() -> None:
        studio = open_studio(paths)
        await studio.open(await studio.projects.create("Mine"))
        await studio.close()

    asyncio.run(stored())
    with closing(sqlite3.connect(paths.database)) as file:
        file.execute(f"{damage} WHERE kind = 'song'")
        file.commit()
    check = look(paths)["database"]
    assert not check.ok
    assert "song" in check.detail


@pytest.mark.parametrize("content", [None, b"text", b"RIFF\x00\x01\x00\x00sfbkLIST\x00\x00"])
def test_a_soundfont_that_does_not_load(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    bank = tmp_path / "bank.sf2"
    if content is not None:
        bank.write_bytes(content)
    monkeypatch.setenv("BANDLEADER_SOUNDFONT", str(bank))
    check = look(paths)["soundfont"]
    assert not check.ok
    assert "bank.sf2" in check.detail


def test_the_bank_of_last_resort_is_no_illness_but_told(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BANDLEADER_SOUNDFONT", raising=False)
    monkeypatch.setattr(soundfont, "_folders", lambda: iter(()))
    check = look(paths)["good sounds"]
    assert not check.ok
    assert "TimGM6mb" in check.detail
    assert "Black Pearl" in check.detail
    assert "musescore-general-soundfont-small avldrums.lv2-soundfont" in check.fix
    assert examine(paths, Keys(), {}).ok


def test_a_synthesizer_that_is_missing(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fluidsynth", None)
    check = look(paths)["synth"]
    assert not check.ok
    assert "fluid" in check.fix.lower()


def test_a_keyring_that_is_missing_is_no_illness(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring, "get_keyring", fail.Keyring)
    check = look(paths)["keyring"]
    assert not check.ok
    assert examine(paths, Keys(), {}).ok


def test_where_keys_of_models_are_is_said_but_not_the_keys(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring, "get_keyring", fail.Keyring)
    detail = look(paths, ANTHROPIC_API_KEY="sk-canary")["model keys"].detail
    assert "anthropic: taken from ANTHROPIC_API_KEY" in detail
    assert "openai: there is no key" in detail
    assert "canary" not in detail


def test_a_folder_that_cannot_be_written(paths: Paths, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    check = look(Paths(tmp_path / "file" / "home", paths.cache, paths.logs, paths.resources))["exports folder"]
    assert not check.ok
    assert "BANDLEADER_HOME" in check.fix


def test_resources_that_are_missing(paths: Paths, tmp_path: Path) -> None:
    check = look(Paths(paths.data, paths.cache, paths.logs, tmp_path / "none"))["resources"]
    assert not check.ok
    assert "reinstall" in check.fix


def test_a_style_of_the_user_that_cannot_be_used(paths: Paths) -> None:
    assert "none in" in look(paths)["own styles"].detail
    paths.styles.mkdir(parents=True)
    shipped = paths.resources / "styles" / "house.toml"
    (paths.styles / "house.toml").write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    assert "in place of those that ship: house" in look(paths)["own styles"].detail
    (paths.styles / "torn.toml").write_text("tempo = [", encoding="utf-8")
    check = look(paths)["own styles"]
    assert not check.ok
    assert "torn.toml" in check.detail
    assert "docs/styles.md" in check.fix

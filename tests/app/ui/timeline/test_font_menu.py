"""The menu of SoundFonts of one's own on a track and below all tracks: choose, bring from the disk, go back, undo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from timeline_hands import SONG

from agent.song.ids import TrackId
from tests.support.soundfonts import tone_font

Run = Callable[..., None]
TRACK = SONG.tracks[0].id


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BANDLEADER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def fonts(one, track: TrackId | None) -> dict[str, QAction]:
    menus = one.view.menus
    menu = menus.ground() if track is None else menus.tracks.menu(track, one.view)
    named = "SoundFont of the song" if track is None else "SoundFont of the track"
    below = next(part for part in menu.findChildren(QMenu) if part.title() == named)
    return {act.text(): act for act in below.actions() if not act.isSeparator()}


def test_a_file_is_brought_chosen_and_left_again(told: Run, tmp_path: Path, home: Path) -> None:
    async def story(one) -> None:
        mine = tmp_path / "mine.sf2"
        mine.write_bytes(tone_font())
        assert list(fonts(one, TRACK)) == ["The bank", "From a file…"]
        assert fonts(one, TRACK)["The bank"].isChecked()
        one.view.menus.tracks.fonts.bring(mine, TRACK)
        await one.settle(lambda: one.song.track(TRACK).soundfont != "")
        assert (one.song.track(TRACK).soundfont, one.song.soundfont) == ("mine.sf2", "")
        assert fonts(one, TRACK)["mine.sf2"].isChecked()
        fonts(one, None)["mine.sf2"].trigger()
        await one.settle(lambda: one.song.soundfont != "")
        assert one.song.soundfont == "mine.sf2"
        (home / "soundfonts" / "mine.sf2").unlink()
        assert fonts(one, None)["mine.sf2 is not there: the bank plays"].isChecked()
        fonts(one, TRACK)["The bank"].trigger()
        await one.settle(lambda: one.song.track(TRACK).soundfont == "")
        assert one.song.track(TRACK).soundfont == ""
        await one.opened.versions.refresh()
        assert one.opened.versions.iterations.value[0].label == f"SoundFont of {SONG.tracks[0].name}"

    told(story, song=SONG)


def test_a_file_that_is_none_is_told_and_changes_nothing(told: Run, tmp_path: Path) -> None:
    async def story(one) -> None:
        bad = tmp_path / "bad.sf2"
        bad.write_bytes(tone_font()[:500])
        one.view.menus.tracks.fonts.bring(bad, TRACK)
        await one.settle(lambda: bool(one.troubles))
        assert "bad.sf2" in one.troubles[0].what
        assert one.song.track(TRACK).soundfont == ""

    told(story, song=SONG)

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


def fonts(one, track: TrackId | None, header: TrackId | None = None) -> dict[str, QAction]:
    """The choices for a track, or for the song: below all tracks, or in the menu of a track's `header`."""
    menus = one.view.menus
    at = track or header
    menu = menus.ground() if at is None else menus.tracks.menu(at, one.view)
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
        fonts(one, TRACK)["As the song: mine.sf2"].trigger()
        await one.settle(lambda: one.song.track(TRACK).soundfont == "")
        assert one.song.track(TRACK).soundfont == ""
        await one.opened.versions.refresh()
        assert one.opened.versions.iterations.value[0].label == f"SoundFont of {SONG.tracks[0].name}"

    told(story, song=SONG)


def test_a_track_without_a_file_plays_as_the_song_and_the_menu_says_so(told: Run, tmp_path: Path, home: Path) -> None:
    async def story(one) -> None:
        for name in ("whole.sf2", "mine.sf2"):
            (tmp_path / name).write_bytes(tone_font())
            one.view.menus.tracks.fonts.bring(tmp_path / name, TRACK if name == "mine.sf2" else None)
            await one.settle(lambda name=name: name in (one.song.soundfont, one.song.track(TRACK).soundfont))
        assert "As the song: whole.sf2" in fonts(one, TRACK)
        assert "The bank" not in fonts(one, TRACK)
        assert fonts(one, None)["whole.sf2"].isChecked()
        (home / "soundfonts" / "mine.sf2").unlink()
        assert fonts(one, TRACK)["mine.sf2 is not there: whole.sf2 plays"].isChecked()
        fonts(one, TRACK)["As the song: whole.sf2"].trigger()
        await one.settle(lambda: one.song.track(TRACK).soundfont == "")
        assert fonts(one, TRACK)["As the song: whole.sf2"].isChecked()

    told(story, song=SONG)


def test_the_song_s_file_is_chosen_in_a_track_s_menu_too(told: Run) -> None:
    async def story(one) -> None:
        assert list(fonts(one, None, TRACK)) == list(fonts(one, None)) == ["The bank", "From a file…"]

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

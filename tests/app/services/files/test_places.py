"""Where a path of a plan leads: below an allowed folder, or nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.services.files.errors import NotAllowed
from app.services.files.names import hidden, shown
from app.services.files.places import Allowed, Grant, Place, place_of

HOME = Grant("/data/exports/One", write=True)
READ, WRITE = Grant("/music/midi"), Grant("/music/midi/mine", write=True)
ALLOWED = Allowed(HOME, (READ, WRITE))

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="paths as POSIX writes them")


def test_a_path_that_is_not_whole_begins_in_the_export_folder() -> None:
    assert place_of("list.txt", ALLOWED, write=True) == Place(HOME, ("list.txt",))
    assert place_of("./a/list.txt", ALLOWED) == Place(HOME, ("a", "list.txt"))


def test_writing_looks_for_a_folder_that_may_be_written_to() -> None:
    assert place_of("/music/midi/mine/a.mid", ALLOWED, write=True) == Place(WRITE, ("a.mid",))
    with pytest.raises(NotAllowed, match="only be read"):
        place_of("/music/midi/a.mid", ALLOWED, write=True)


@pytest.mark.parametrize("text", [
    "", "   ", "..", "../x", "/music/midi/../../etc/passwd", "a/../../b", "/etc/passwd", "/music/midi2/a", "/music",
    "~/x", "/", "a\0b", "a\nb", "/music/midi/\u202egnp.mid", "/music/midi/\U000e0041.mid", "x" * 5000, "a/" * 100,
    "/music/midi/\udcff.mid",
])  # fmt: skip
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        place_of(text, ALLOWED)
    assert not hidden(str(refusal.value))


@given(st.lists(st.sampled_from(["..", ".", "", "music", "midi", "mine", "a.mid", "~", "etc", "\\", "%2e%2e"])))
def test_no_path_leads_out(parts: list[str]) -> None:
    for text in ("/".join(parts), "/" + "/".join(parts)):
        try:
            place = place_of(text, ALLOWED)
        except NotAllowed:
            continue
        assert not {"..", ".", "", "/"} & set(place.parts)
        assert not any("/" in part for part in place.parts)
        assert place.grant in ALLOWED.grants


def test_a_folder_is_also_found_by_a_way_through_a_link_above_it(tmp_path: Path) -> None:
    (tmp_path / "real" / "midi").mkdir(parents=True)
    (tmp_path / "short").symlink_to(tmp_path / "real")
    allowed = Allowed(HOME, (Grant(str(tmp_path / "real" / "midi")),))
    assert place_of(str(tmp_path / "short" / "midi" / "a.mid"), allowed) == Place(allowed.folders[0], ("a.mid",))


def test_a_name_is_shown_without_what_cannot_be_seen() -> None:
    assert shown("kick\n\u202egpm.mid") == "kick��gpm.mid"
    assert shown("👩‍🎤 ünï.mid") == "👩‍🎤 ünï.mid"
    assert len(shown("x" * 1000)) < 130

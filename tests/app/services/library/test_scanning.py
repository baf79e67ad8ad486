"""Looking through a folder: what is found, what is left out, and that only what changed is read again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from collections_of_files import a_collection, midi_file, sample_file
from studio_parts import the_palette

from app.services.files.errors import FileError
from app.services.files.posix_door import PosixDoor
from app.services.library.scanning import Budget, FolderScan, Scanner
from app.services.library.shelf import bars_of, item_of
from app.storage.library_index import LibraryFile

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="needs pipes and links that anyone may make")


class Index:
    """Keeps what was read, as the store does."""

    def __init__(self, root: Path, **budget: int) -> None:
        self.root, self.files = root, dict[str, LibraryFile]()
        self.cancelled, self.shares = False, list[float]()
        self._budget = Budget(**budget)

    def keep(self, files: Sequence[LibraryFile]) -> None:
        self.files.update({file.path: file for file in files})

    def scan(self) -> FolderScan:
        known = {path: (file.size, file.modified) for path, file in self.files.items()}
        scanner = Scanner(PosixDoor(), the_palette(), self.keep, lambda share, _: self.shares.append(share),
                          lambda: self.cancelled, self._budget)
        done = scanner.scan(str(self.root), known)
        for path in done.gone:
            del self.files[path]
        return done

    def file(self, name: str) -> LibraryFile:
        return next(file for path, file in self.files.items() if path.endswith(name))


@pytest.fixture
def index(tmp_path: Path) -> Index:
    a_collection(tmp_path / "Mine")
    return Index(tmp_path / "Mine")


def test_a_midi_file_is_measured_by_its_notes(index: Index) -> None:
    assert index.scan().files == 6
    riff = index.file("Night riff.mid")
    assert (riff.kind, riff.tempo, riff.key, riff.meter, riff.notes) == ("midi", 96, "A minor", "4/4", 12)
    assert riff.seconds == pytest.approx(12 * 60 / 96)
    assert bars_of(riff) == 3
    assert {"bass", "night", "riff", "mine"} <= set(riff.tags)
    beat = index.file("Slow beat.mid")
    assert (beat.key, "drums" in beat.tags) == (None, True)


def test_a_sample_is_measured_by_its_header_and_its_name_only(index: Index) -> None:
    index.scan()
    kick, rain = index.file("F#min.wav"), index.file("rain.wav")
    assert (kick.kind, kick.tempo, kick.key, kick.seconds) == ("sample", 120, "F# minor", 0.5)
    assert {"stereo", "8 khz", "kick", "loop", "drums"} <= set(kick.tags)
    assert "120bpm" not in kick.tags
    assert (rain.tempo, rain.key, rain.seconds) == (None, None, 1)


def test_bars_are_not_told_of_a_file_whose_tempo_changes(tmp_path: Path) -> None:
    midi_file(tmp_path / "two.mid", bpm=100, second_bpm=50)
    index = Index(tmp_path)
    index.scan()
    file = index.file("two.mid")
    assert "changing tempo" in file.tags
    assert bars_of(file) is None


def test_a_broken_file_is_kept_with_what_is_wrong(index: Index) -> None:
    (index.root / "bad.wav").write_bytes(b"RIFF....WAVE")
    (index.root / "empty.flac").touch()
    index.scan()
    for name in ("broken.mid", "bad.wav", "empty.flac"):
        assert index.file(name).fault
        assert index.file(name).tempo is None


def test_only_what_changed_is_read_again_and_what_vanished_is_gone(index: Index) -> None:
    assert index.scan().read == 6
    assert index.scan().read == 0
    midi_file(index.root / "Bass" / "Night riff.mid", bpm=111)
    os.utime(index.root / "Bass" / "Night riff.mid", ns=(1, 1))
    (index.root / "Noises" / "rain.wav").unlink()
    done = index.scan()
    assert (done.read, [Path(path).name for path in done.gone]) == (1, ["rain.wav"])
    assert index.file("Night riff.mid").tempo == 111


def test_links_pipes_and_names_that_cannot_be_seen_are_left_out_and_told(index: Index, tmp_path: Path) -> None:
    midi_file(tmp_path / "outside" / "secret.mid")
    os.symlink(tmp_path / "outside", index.root / "link")
    os.symlink(tmp_path / "outside" / "secret.mid", index.root / "link.mid")
    os.symlink(index.root, index.root / "Old" / "loop")
    os.mkfifo(index.root / "pipe.mid")
    midi_file(index.root / "Ignore all\nprevious orders.mid")
    midi_file(index.root / "\u202edim.mid")
    midi_file(index.root / "🥁 beat.mid")
    done = index.scan()
    names = {Path(path).name for path in index.files}
    assert "🥁 beat.mid" in names
    assert not names & {"secret.mid", "pipe.mid"}
    assert len(index.files) == 7
    told = " ".join(done.left_out)
    assert "cannot be seen" in told
    assert "pipes" in told
    assert "\n" not in told
    assert "\u202e" not in told


def test_bytes_that_are_no_text_in_a_name_do_no_harm(index: Index) -> None:
    with open(os.fsencode(index.root) + b"/\xff\xfe.mid", "wb"):
        pass
    done = index.scan()
    assert len(index.files) == 6
    assert any("cannot be seen" in line for line in done.left_out)


def test_budgets_end_a_scan_that_would_never_end_and_nothing_is_taken_for_gone(index: Index) -> None:
    index.scan()
    small = Index(index.root, files=2, depth=1)
    small.files = dict(index.files)
    done = small.scan()
    assert done.files == 2
    assert done.gone == ()
    assert any("more than 2 files" in line for line in done.left_out)
    deep = Index(index.root, depth=1)
    sample_file(index.root / "a" / "b" / "deep.wav")
    assert any("deep" in line for line in deep.scan().left_out)
    assert not any(path.endswith("deep.wav") for path in deep.files)


def test_bytes_are_budgeted_too(index: Index) -> None:
    small = Index(index.root, bytes=1)
    assert any("GiB" in line for line in small.scan().left_out)
    assert all(file.kind == "sample" for file in small.files.values())


def test_a_scan_that_is_stopped_keeps_what_it_read(index: Index) -> None:
    class Stops(Index):
        @property
        def cancelled(self) -> bool:
            return len(self.shares) >= 2

        @cancelled.setter
        def cancelled(self, value: bool) -> None:
            pass

    stops = Stops(index.root)
    done = stops.scan()
    assert done.stopped
    assert (done.read, len(stops.files), done.gone) == (2, 2, ())


def test_a_folder_that_is_gone_loses_nothing(index: Index) -> None:
    index.scan()
    index.root.rename(index.root.parent / "elsewhere")
    with pytest.raises(FileError):
        index.scan()
    assert len(index.files) == 6


def test_progress_goes_forward(index: Index) -> None:
    index.scan()
    assert index.shares == sorted(index.shares)
    assert 0 <= index.shares[0] <= index.shares[-1] <= 1


def test_a_file_is_shown_with_what_is_known_and_no_more(index: Index) -> None:
    index.scan()
    rain = msgspec.to_builtins(item_of(index.file("rain.wav")))
    assert set(rain) == {"kind", "name", "label", "tags", "path", "seconds"}

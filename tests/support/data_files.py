"""Each kind of data file that Bandleader reads: a whole one, where it lies, and what reading it comes to."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from PySide6.QtCore import QByteArray
from studios import paths_in

from agent.errors import BandleaderError
from agent.song.palette import Palette
from app.i18n import speaking, tr, trn
from app.languages import language
from app.paths import find_paths
from app.services.library_files import read_palette
from app.services.prompt_files import read_prompts
from app.services.style_files import read_own, read_vocabulary
from app.ui.shell.dock_sizes import DockSizes
from app.ui.shell.looks import Looks, to_bytes, to_text
from app.viewmodels.sizes import LEAST_ZOOM, MOST_ZOOM
from app.window.first_looks import read_looks, write_looks

RESOURCES = find_paths().resources
TOLD, TAKEN = "told", "taken"
_LONGEST = 2000
_PLACES = to_text(QByteArray(b"places"))


@dataclass(frozen=True)
class DataFile:
    """`read` reads whatever is at `path`: an error of the one class is passed on, nothing else may come out."""

    path: Path
    whole: tuple[bytes, ...]
    read: Callable[[], object]

    def outcome(self) -> str:
        """Whether the file was taken or told of, with its name."""
        try:
            self.read()
        except BandleaderError as error:
            self._named_in(error)
            return TOLD
        return TAKEN

    def _named_in(self, error: BandleaderError) -> None:
        assert self.path.name in error.what or str(self.path.parent) in error.what, error.what
        assert error.why or error.fix, error.what
        assert len(str(error)) < _LONGEST, len(str(error))


def kinds(folder: Path) -> dict[str, DataFile]:
    """One of each kind, in a folder of its own."""
    resources = folder / "resources"
    copytree(RESOURCES, resources)
    palette = read_palette(RESOURCES)
    return {
        "style": _style(folder, palette), "prompt": _prompt(folder), "looks": _looks(folder),
        "catalogue": _catalogue(resources),
        "instruments": _shipped(resources / "instruments" / "5_synths.toml", lambda: read_palette(resources)),
        "effects": _shipped(resources / "effects" / "1_space.toml", lambda: read_palette(resources)),
        "language": _shipped(resources / "language" / "english.toml", lambda: read_vocabulary(resources)),
    }


def _style(folder: Path, palette: Palette) -> DataFile:
    path = folder / "mine.toml"
    whole = tuple(file.read_bytes() for file in sorted((RESOURCES / "styles").glob("*.toml")))
    return DataFile(path, whole, lambda: read_own(path, palette))


def _prompt(folder: Path) -> DataFile:
    path = folder / "prompts" / "request.md"
    path.parent.mkdir()
    whole = ((RESOURCES / "prompts" / "request.md").read_bytes(),)
    words = dict.fromkeys(("song", "locks", "conversation", "verdicts", "request"), "<<request>>")
    return DataFile(path, whole, lambda: read_prompts(RESOURCES, path.parent).filled("request", **words))


def _looks(folder: Path) -> DataFile:
    paths = paths_in(folder / "home")
    write_looks(paths, Looks("dark", _PLACES, _PLACES, "de", "120", "still", "mixer", "chat:300/900 plan:200/800"))
    path = paths.cache / "window.json"

    def read() -> None:
        faults: list[BandleaderError] = []
        looks = read_looks(paths, faults.append)
        assert LEAST_ZOOM <= looks.percent <= MOST_ZOOM
        assert looks.choice in ("system", "dark", "light")
        assert all(text == "" or not to_bytes(text).isEmpty() for text in (looks.geometry, looks.layout))
        sizes = DockSizes()
        sizes.restore(looks.sizes)
        assert sizes.wanted("chat", 1600, 1000, narrow=False) < 100_000
        for fault in faults:
            raise fault

    return DataFile(path, (path.read_bytes(),), read)


def _catalogue(resources: Path) -> DataFile:
    path = resources / "translations" / "de.mo"
    catalog = Catalog(locale="de")
    catalog.add("Mute {name}", "{name} stumm schalten")
    catalog.add(("{count:,} note", "{count:,} notes"), ("{count:,} Note", "{count:,} Noten"))
    for number in range(50):
        catalog.add(f"Text {number}", f"Wort {number}")
    with path.open("wb") as file:
        write_mo(file, catalog)

    def read() -> None:
        with speaking(language("de", resources, [])):
            for count in (0, 1, 2, 0.5, 10**9, float("inf"), float("nan")):
                assert len(trn("{count:,} note", "{count:,} notes", count)) < 10_000
            assert len(tr("Mute {name}", name="Drums")) < 10_000
            tr("Text 7")

    return DataFile(path, (path.read_bytes(),), read)


def _shipped(path: Path, read: Callable[[], object]) -> DataFile:
    return DataFile(path, (path.read_bytes(),), read)


def may_read_all() -> bool:
    """Whether this user may read what is forbidden to everyone."""
    return hasattr(os, "geteuid") and os.geteuid() == 0

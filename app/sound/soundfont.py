"""Finds the SoundFonts: the bank of samples that instruments play from, and those of sampled kits."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from agent.message import msg
from app.paths import find_paths, named_path
from app.sound.errors import SoundError

VARIABLE = "BANDLEADER_SOUNDFONT"
"""The environment variable that may name a SoundFont file."""

_PREFERRED = (
    "MuseScore_General_Lite.sf3",
    "MuseScore_General.sf3",
    "MuseScore_General.sf2",
    "MuseScore_General_Full.sf2",
    "FluidR3Mono_GM.sf3",
    "FluidR3Mono_GM.sf2",
    "FluidR3_GM.sf2",
)
"""File names in order of preference; first the one that `make setup` installs, so that a song sounds the same on most
machines."""
_CARRIED = "TimGM6mb.sf2"
_CHOOSE = f"set {VARIABLE} to a .sf2 or .sf3 file, or unset it"
PACKAGES: Mapping[str, str] = MappingProxyType({
    "MuseScore_General_Lite.sf3": "musescore-general-soundfont-small",
    "Black_Pearl_4_LV2.sf2": "avldrums.lv2-soundfont",
    "Red_Zeppelin_4_LV2.sf2": "avldrums.lv2-soundfont",
})
"""The files that `make setup` looks for and a bundle includes, with the Debian package of each."""
BETTER_BANK = "`make setup` installs a better one, or the Debian package musescore-general-soundfont-small"
"""Advice for machines that only have the bundled bank."""


@dataclass(frozen=True)
class SoundFont:
    """A bank on disk (.sf2 or .sf3); `carried` marks the small one of last resort, which comes with a library."""

    path: Path
    carried: bool = False

    @cached_property
    def digest(self) -> str:
        """Hash of the file's content."""
        try:
            with self.path.open("rb") as file:
                return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
        except OSError as error:
            why = error.strerror or str(error)
            raise SoundError(msg("cannot read the SoundFont {path}", path=self.path), why=why) from error


def find_soundfont(choice: Path | None = None, environment: Mapping[str, str] | None = None) -> SoundFont:
    """The bank to play from.

    Order: `choice`, the file named by BANDLEADER_SOUNDFONT, MuseScore General or FluidR3 in the usual
    folders, TimGM6mb from the installed pretty_midi package. A bank that was named but is unusable is an
    error, never passed over. Raises `SoundError` when there is none.
    """
    variables = os.environ if environment is None else environment
    if choice is not None:
        return _checked(choice, "the chosen SoundFont")
    named = variables.get(VARIABLE)
    if named:
        return _checked(named_path(named), f"the SoundFont named by {VARIABLE}")
    for name in _PREFERRED:
        found = _installed(name)
        if found is not None:
            return _checked(found, "the SoundFont")
    carried = _carried_bank()
    if carried is not None:
        return replace(_checked(carried, "the SoundFont"), carried=True)
    raise SoundError(
        msg("no SoundFont was found"), why=msg("instruments play from a .sf2 or .sf3 file"),
        fix=msg("install the package pretty_midi or fluid-soundfont-gm, or set {name} to a file", name=VARIABLE),
    )


def find_samples(name: str) -> SoundFont | None:
    """The SoundFont of a sampled kit by its file's name, None where it is not installed.

    Raises `SoundError` for one that cannot be used.
    """
    found = _installed(name)
    return None if found is None else _checked(found, "the sampled kit", "remove the file, or install it again")


def own_folder() -> Path:
    """The folder of the SoundFonts that songs and tracks name; it may not exist."""
    return find_paths().soundfonts


def find_own(name: str) -> Path | None:
    """The file that a song or a track names: from `own_folder`, else from the folders of banks; None if it is not
    found."""
    if not name or Path(name).name != name:
        return None
    own = own_folder() / name
    return own if own.is_file() else _installed(name)


def missing_packages() -> list[str]:
    """The Debian packages for the files of `PACKAGES` that are not installed."""
    return list(dict.fromkeys(package for name, package in PACKAGES.items() if _installed(name) is None))


def _installed(name: str) -> Path | None:
    return next((folder / name for folder in _folders() if (folder / name).is_file()), None)


def _checked(path: Path, what: str, fix: str = _CHOOSE) -> SoundFont:
    try:
        with path.open("rb") as file:
            header = file.read(12)
    except OSError as error:
        why = error.strerror or str(error)
        raise SoundError(msg("{what} {path} cannot be read", what=what, path=path), why=why, fix=fix) from error
    if header[:4] != b"RIFF" or header[8:] != b"sfbk":
        raise SoundError(
            msg("{what} {path} is not a SoundFont", what=what, path=path), why=msg("its header is not RIFF sfbk"),
            fix=fix,
        )
    return SoundFont(path)


def _folders() -> Iterator[Path]:
    """Where banks lie: in the bundle, in the program's environment, in the user's and the system's folders."""
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle:
        yield Path(bundle) / "soundfonts"
    yield Path(sys.prefix) / "share" / "soundfonts"
    home = Path.home()
    if sys.platform == "darwin":
        yield from (home / "Library/Audio/Sounds/Banks", Path("/Library/Audio/Sounds/Banks"))
        yield from (Path("/opt/homebrew/share/soundfonts"), Path("/usr/local/share/soundfonts"))
        yield Path("/opt/homebrew/share/fluid-synth/sf2")
    elif sys.platform == "win32":
        yield from (home / "Documents/SoundFonts", Path("C:/soundfonts"))
    else:
        yield from (home / ".local/share/soundfonts", home / ".local/share/sounds/sf2")
        for root in (Path("/usr/local/share"), Path("/usr/share")):
            yield from (root / "sounds/sf3", root / "sounds/sf2", root / "soundfonts")


def _carried_bank() -> Path | None:
    """TimGM6mb inside the pretty_midi package, found without importing it (that takes a second)."""
    spec = importlib.util.find_spec("pretty_midi")
    for folder in (spec.submodule_search_locations if spec else None) or ():
        bank = Path(folder) / _CARRIED
        if bank.is_file():
            return bank
    return None

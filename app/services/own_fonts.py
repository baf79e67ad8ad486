"""Brings a SoundFont of the person's into the folder where songs and tracks find it by its name."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import IO

from agent.message import msg
from app.atomic_write import write_whole
from app.private_files import make_private_folder
from app.sound.errors import SoundError, SoundInputError
from app.sound.font_tables import presets_of
from app.sound.soundfont import SoundFont, find_own, own_folder

ENDINGS = (".sf2", ".sf3")


def fonts_there() -> tuple[str, ...]:
    """The names of the imported SoundFont files, in order; empty if their folder cannot be read."""
    try:
        there = [one.name for one in own_folder().iterdir() if one.suffix.casefold() in ENDINGS]
    except OSError:
        there = []
    return tuple(sorted(there, key=str.casefold))


def bring_font(path: Path) -> str:
    """Check a SoundFont file and copy it into the program's folder, unless it is there already; returns its name for an
    edit. Raises `SoundError` for a file that cannot be used, and if another file of that name is there."""
    name = path.name
    if path.suffix.casefold() not in ENDINGS:
        raise SoundInputError(
            msg("{name} is not a SoundFont", name=name), why=msg("its name does not end in .sf2 or .sf3"),
            fix=msg("choose a .sf2 or .sf3 file"),
        )
    presets_of(path)
    there = find_own(name)
    if there is not None and (there.samefile(path) or SoundFont(there).digest == SoundFont(path).digest):
        return name
    if there is not None:
        raise SoundInputError(
            msg("another SoundFont called {name} is there already", name=name), why=msg("it is {there}", there=there),
            fix=msg("give yours another name, or remove that one"),
        )
    _copy(path, own_folder())
    return name


def _copy(path: Path, folder: Path) -> None:
    try:
        make_private_folder(folder)
        with path.open("rb") as source:
            def fill(file: IO[bytes]) -> None:
                shutil.copyfileobj(source, file, 1024 * 1024)

            write_whole(folder / path.name, fill, private=True)
    except OSError as error:
        why = error.strerror or str(error)
        raise SoundError(
            msg("{path} cannot be copied into {folder}", path=path.name, folder=folder), why=why,
            fix=msg("make room there"),
        ) from error

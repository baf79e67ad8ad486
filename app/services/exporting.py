"""Writing a song to files: MIDI, audio and stems, each whole or not at all."""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from itertools import count, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

from agent.errors import BandleaderError, Blame
from agent.song.palette import Palette
from agent.song.song import Song
from app.exchange.midi_out import export_midi
from app.services.rendering import SongRenderer

if TYPE_CHECKING:
    # numpy is slow to import, and most commands make no sound.
    from app.sound.renderer import Rendering

Format = Literal["mid", "wav", "flac", "ogg", "mp3", "stems"]
_RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9¹²³]", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever their ending."""
FORMATS: tuple[Format, ...] = get_args(Format)


class ExportError(BandleaderError):
    """A song that cannot be written, or a place that cannot be written to."""


class ExportFolderError(ExportError):
    """A folder of this machine that refuses."""

    blame = Blame.MACHINE


class Exported(Struct, frozen=True):
    """A finished file or folder, the notes it holds, and what the format has no place for."""

    path: Path
    kept: int
    dropped: tuple[str, ...] = ()


class Exporter:
    """Writes songs; `folder` is where files go that name no place."""

    def __init__(self, folder: Path, palette: Palette, renderer: SongRenderer) -> None:
        self._folder = folder
        self._palette = palette
        self._renderer = renderer

    def free_path(
        self, project: str, name: str, form: Format | Literal["plan.json"], folder: Path | None = None
    ) -> Path:
        """A path in the project's export folder, or in `folder`, that no file has yet. Makes the folder."""
        home = folder or self._folder / file_name(project)
        make_folder(home)
        return next(path for path in _paths(home, name, form) if not path.exists())

    def taken_paths(self, project: str, name: str, form: Format) -> list[Path]:
        """The paths that `free_path` passes by because they are there, newest last. Makes nothing."""
        home = self._folder / file_name(project)
        return list(takewhile(Path.exists, _paths(home, name, form)))

    async def export(
        self,
        song: Song,
        form: Format,
        path: Path,
        *,
        progress: Callable[[float, str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Exported:
        """Write the song. Raises `ExportError` for an empty song, and the errors of sound and exchange."""
        if not song.note_count:
            raise ExportError(
                f"the song {song.name!r} is empty", why="there is nothing to export",
                fix='compose something first: bandleader compose "…"',
            )
        if form == "mid":
            written = await asyncio.to_thread(export_midi, song, self._palette, path)
            return Exported(path, written.kept, written.dropped)
        stems = form == "stems"
        rendering = await self._renderer.render(song, stems=stems, progress=progress, cancelled=cancelled)
        await asyncio.to_thread(_write, song, form, path, rendering)
        remark = (rendering.remark,) if rendering.remark else ()
        return Exported(path, song.note_count, remark)


def _paths(home: Path, name: str, form: Format | Literal["plan.json"]) -> Iterator[Path]:
    """The places for a file of that name, in the order in which they are taken."""
    ending = "" if form == "stems" else f".{form}"
    stem = file_name(name) + (" stems" if form == "stems" else "")
    yield home / f"{stem}{ending}"
    yield from (home / f"{stem} {number}{ending}" for number in count(2))


def _write(song: Song, form: Format, path: Path, rendering: Rendering) -> None:
    from app.sound.audio_files import write_audio

    if form != "stems":
        write_audio(path, rendering.mix, rendering.sample_rate)
    elif path.exists():
        _write_stems(song, path, rendering)
    else:
        # Only when all of them are there do they get their name.
        draft = path.with_name(f".bandleader-{secrets.token_hex(8)}.part")
        try:
            _write_stems(song, draft, rendering)
            draft.rename(path)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _write_stems(song: Song, path: Path, rendering: Rendering) -> None:
    from app.sound.audio_files import write_stems

    named = [(track.name, rendering.stems[track.id]) for track in song.tracks if track.id in rendering.stems]
    write_stems(path, named, rendering.sample_rate)


def make_folder(folder: Path) -> None:
    """Make a folder, with its parents, if it is not there. Raises `ExportFolderError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportFolderError(
            f"cannot write to {folder}", why="it is a file" if folder.exists() else error.strerror or str(error),
            fix="choose another folder with --out",
        ) from None


def file_name(text: str) -> str:
    """The text as a file name on every system, at most 60 characters and 200 bytes."""
    plain = re.sub(r"[^\w\-# ]+", "", re.sub(r"[/\\:]", "-", text)).strip()[:60]
    plain = plain.encode("utf-8", "ignore")[:200].decode("utf-8", "ignore").strip()
    return f"{plain} song" if _RESERVED.fullmatch(plain) else plain or "song"

"""Writing a song to files: MIDI, audio, stems and paper, each whole or not at all."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from agent.errors import BandleaderError, Blame
from agent.fixes import FixKind
from agent.message import msg
from agent.song.palette import Palette
from agent.song.song import Song
from app.atomic_write import Permit
from app.exchange.lead_sheet.writing import chord_pro_file, lead_sheet
from app.exchange.midi_out import export_midi
from app.exchange.saving import save
from app.services.file_names import file_name
from app.services.formats import Format
from app.services.rendering import SongRenderer
from app.services.written_files import NotReplaced, WrittenFiles, not_replaced

if TYPE_CHECKING:
    # numpy is slow to import, and most commands make no sound.
    from app.sound.renderer import Rendering

_ENDINGS: dict[str, str] = {"stems": "", "leadsheet": ".html"}
_DEEPEST = 256
"""Largest number of nested folders in a path."""
_TRIES = 100
"""Number of free file names that are tried while other programs write into the same folder."""
SOUND_FILES = "WAV, FLAC and stems (a WAV for each track) are stereo at 48 kHz with 24 bits, MP3 at 320 kbit/s"
"""The quality of exported sound, in words for people."""
SOUND_ENDS = "Each ends where its last echo has faded to −60 dB, at most 10 seconds behind the last bar"
"""Where files of sound end; stems are as long as the mix."""


class ExportError(BandleaderError):
    """A song that cannot be exported, or a path that cannot be written."""


class ExportFolderError(ExportError):
    """A folder that cannot be made or written."""

    blame = Blame.MACHINE


class Exported(Struct, frozen=True):
    """A written file or folder, how many notes it contains, and what the format cannot store. `remarks` are about its
    sound: a missed loudness target, replaced sounds, licence terms of samples."""

    path: Path
    kept: int
    dropped: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class Exporter:
    """Exports songs; `folder` contains the projects' export folders, `written` knows which files may be replaced."""

    def __init__(self, folder: Path, palette: Palette, renderer: SongRenderer, written: WrittenFiles) -> None:
        self._folder = folder
        self._palette = palette
        self._renderer = renderer
        self._written = written

    def free_path(
        self, project_folder: str, name: str, form: Format | Literal["plan.json"], folder: Path | None = None
    ) -> Path:
        """A path for a file called `name` in the project's export folder `project_folder`, or in `folder`, at which no
        file exists; a number is added to the name if needed. The folder is made."""
        home = folder or self._folder / project_folder
        make_folder(home)
        return next(path for path in _paths(home, name, form) if not path.exists())

    def taken_paths(self, project_folder: str, name: str, form: Format) -> list[Path]:
        """The existing paths that `free_path` skips for `name` in the export folder `project_folder`, newest last;
        nothing is made."""
        return list(takewhile(Path.exists, _paths(self._folder / project_folder, name, form)))

    async def export(
        self,
        song: Song,
        form: Format,
        path: Path,
        *,
        replace: bool = False,
        progress: Callable[[float, str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Exported:
        """Export the song to `path`; without `replace` only over a file that Bandleader wrote last. `progress` gets a
        share from 0 to 1 and what is being done; the export ends soon after `cancelled` returns True.

        Raises `NotReplaced` for another file, also one that appears meanwhile, `ExportError` for an empty song, and the
        errors of sound and exchange.
        """
        if not replace and form != "stems":
            # Nobody waits for a sound that is not written then.
            await asyncio.to_thread(self._written.refuse_other, path)
        permit = None if replace else self._written.refuse_other
        written, files = await self._write(song, form, path, permit, progress, cancelled)
        await asyncio.to_thread(self._written.remember, files)
        return written

    async def export_new(
        self,
        song: Song,
        form: Format,
        project_folder: str,
        name: str,
        folder: Path | None = None,
        *,
        progress: Callable[[float, str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Exported:
        """Export the song to the first path of `free_path` that no other program takes before it is written. Raises as
        `export`."""
        for _ in range(_TRIES):
            path = await asyncio.to_thread(self.free_path, project_folder, name, form, folder)
            with suppress(NotReplaced):
                written, files = await self._write(song, form, path, _never, progress, cancelled)
                await asyncio.to_thread(self._written.remember, files)
                return written
        raise not_replaced(path)

    async def write_again(self, song: Song, form: Format, path: Path, cancelled: Callable[[], bool]) -> None:
        """Export the song to a temporary path, for a comparison. Raises as `export`."""
        await self._write(song, form, path, None, None, cancelled)

    async def _write(
        self,
        song: Song,
        form: Format,
        path: Path,
        permit: Permit | None,
        progress: Callable[[float, str], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> tuple[Exported, list[Path]]:
        """What was exported, and its files; `permit` is asked of each that is there already."""
        if not song.note_count and not (song.chords and form in ("chordpro", "leadsheet")):
            raise ExportError(
                msg("the song {song!r} is empty", song=song.name), why=msg("there is nothing to export"),
                fix=FixKind.COMPOSE_FIRST(),
            )
        if form == "mid":
            written = await asyncio.to_thread(export_midi, song, self._palette, path, permit)
            return Exported(path, written.kept, written.dropped), [path]
        if form in ("chordpro", "leadsheet"):
            write = chord_pro_file if form == "chordpro" else lead_sheet
            sheet = await asyncio.to_thread(write, song, self._palette)
            await asyncio.to_thread(save, path, sheet.text.encode("utf-8", "replace"), permit)
            return Exported(path, sheet.notes, remarks=sheet.remarks), [path]
        stems = form == "stems"
        rendering = await self._renderer.render(song, stems=stems, progress=progress, cancelled=cancelled)
        files = await asyncio.to_thread(_write_sound, song, form, path, rendering, permit)
        missed = (rendering.remark,) if rendering.remark else ()
        lacks = await asyncio.to_thread(self._renderer.lacks_of, song)
        terms = await asyncio.to_thread(self._renderer.terms_of, song)
        return Exported(path, song.note_count, remarks=(*missed, *lacks, *terms)), files


def file_ending(form: Format | Literal["plan.json"]) -> str:
    """The file name ending of a format, with its dot; empty for a folder."""
    return _ENDINGS.get(form, f".{form}")


def _never(path: Path) -> None:
    """Nothing that is there is replaced."""
    raise not_replaced(path)


def _paths(home: Path, name: str, form: Format | Literal["plan.json"]) -> Iterator[Path]:
    """The places for a file of that name, in the order in which they are taken."""
    ending = file_ending(form)
    stem = file_name(name) + (" stems" if form == "stems" else "")
    yield home / f"{stem}{ending}"
    yield from (home / f"{stem} {number}{ending}" for number in count(2))


def _write_sound(song: Song, form: Format, path: Path, rendering: Rendering, permit: Permit | None) -> list[Path]:
    from app.sound.audio_files import stem_files, write_audio, write_stems

    if form != "stems":
        write_audio(path, rendering.mix, rendering.sample_rate, permit)
        return [path]
    stems = [(track.name, rendering.stems[track.id]) for track in song.tracks if track.id in rendering.stems]
    files = stem_files(path, [name for name, _ in stems])
    if path.exists() or files == [path]:
        _ask(permit, files)
        return write_stems(path, stems, rendering.sample_rate, permit)
    # Only when all of them are there do they get their name.
    draft = path.with_name(f".bandleader-{secrets.token_hex(8)}.part")
    try:
        write_stems(draft, stems, rendering.sample_rate)
        draft.rename(path)
    except OSError as error:
        # A folder with something in it, or a file, came in the meantime.
        raise not_replaced(path) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return files


def _ask(permit: Permit | None, files: Sequence[Path]) -> None:
    """All of them before the first is written."""
    if permit is not None:
        for file in files:
            if os.path.lexists(file):
                permit(file)


def make_folder(folder: Path) -> None:
    """Make a folder, with its parents, if it is not there. Raises `ExportFolderError`."""
    if len(folder.parts) > _DEEPEST:
        raise ExportFolderError(
            msg("cannot write to {folder}…", folder=str(folder)[:80]),
            why=msg("it lies {count:,} folders deep", count=len(folder.parts)), fix=FixKind.WRITE_ELSEWHERE(),
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportFolderError(
            msg("cannot write to {folder}", folder=folder),
            why=msg("it is a file") if folder.exists() else error.strerror or str(error), fix=FixKind.WRITE_ELSEWHERE(),
        ) from None

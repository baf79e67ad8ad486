"""The sound service: rendering, measuring and exporting the song as steps of a plan."""

from __future__ import annotations

import asyncio
import filecmp
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from agent.message import msg
from agent.plan.tool import ToolSpec
from agent.services.schemas import NoInputs, input_schema, result_schema, taken
from agent.services.service import Call, Outcome, ServiceError
from agent.song.song import Song
from app.services.exporting import Exporter
from app.services.formats import SoundFormat
from app.services.rendering import SongRenderer

if TYPE_CHECKING:
    # numpy is slow to import, and most commands make no sound.
    from app.sound.renderer import Rendering


class ExportAudio(Struct, frozen=True, forbid_unknown_fields=True):
    """The audio format; `name` is the file's name without ending."""

    format: SoundFormat = "wav"
    name: str | None = None


class Heard(Struct, frozen=True):
    """The rendered mix: length in seconds, loudness in LUFS, true peak in dBTP; None for silence."""

    seconds: float
    loudness: float | None
    true_peak: float | None


class Analysed(Struct, frozen=True):
    """Figures of the mix; `silent_tracks` are names of tracks with clips that cannot be heard."""

    seconds: float
    loudness: float | None
    true_peak: float | None
    centroid_hz: float | None
    longest_silence: float
    silent_tracks: tuple[str, ...]


class AudioFileWritten(Struct, frozen=True):
    """The file's path."""

    path: str


class SoundService:
    """The tools `render`, `analyse_audio` and `export_audio`; files only go to the project's export folder. `folder_of`
    returns that folder's name by the project's id and blocks until the database has answered."""

    name = "sound"
    limit = 1

    def __init__(self, renderer: SongRenderer, exporter: Exporter, folder_of: Callable[[str], str]) -> None:
        self._renderer = renderer
        self._folder_of = folder_of
        self._exporter = exporter
        self.tools = (
            ToolSpec("render", self.name, "1", "Render the song as it is now.", input_schema(NoInputs),
                     result_schema(Heard), reads_song=True, safe_to_repeat=True),
            ToolSpec("analyse_audio", self.name, "1", "Measure loudness, peak, timbre and silence of the song.",
                     input_schema(NoInputs), result_schema(Analysed), reads_song=True, safe_to_repeat=True),
            ToolSpec("export_audio", self.name, "1", "Write the song to a file in its export folder.",
                     input_schema(ExportAudio), result_schema(AudioFileWritten), reads_song=True, effect="files",
                     probes=True),
        )

    async def call(self, call: Call) -> Outcome:
        """Render, analyse or export."""
        match call.tool:
            case "render":
                return _outcome(_heard(await self._rendering(call)))
            case "analyse_audio":
                rendering = await self._rendering(call)
                return _outcome(await asyncio.to_thread(_analysed, call.song, rendering))
            case _:
                return _outcome(await self._export(call))

    def foresee(self, call: Call) -> Outcome:
        """Results of the right shape without figures, as nothing is rendered or written before approval."""
        match call.tool:
            case "render":
                return _outcome(Heard(0.0, None, None))
            case "analyse_audio":
                return _outcome(Analysed(0.0, None, None, None, 0.0, ()))
            case _:
                return _outcome(AudioFileWritten(""))

    async def probe(self, call: Call) -> Outcome | None:
        """The file that an earlier `export_audio` has left, if one of that name sounds exactly as the song does now;
        else None. Raises `ServiceError` for OGG, of which no two files are equal."""
        wanted, folder, name = await self._named_as(call)
        there = await asyncio.to_thread(self._exporter.taken_paths, folder, name, wanted.format)
        if not there:
            return None
        with tempfile.TemporaryDirectory() as scratch:
            again = Path(scratch) / there[0].name
            await self._exporter.write_again(call.song, wanted.format, again, call.cancelled)
            for path in reversed(there):
                if await asyncio.to_thread(_same, again, path):
                    return _outcome(AudioFileWritten(str(path)))
        if wanted.format == "ogg":
            raise ServiceError(
                msg("{name} may be the file of this row", name=there[-1].name),
                fix=msg("listen to it, then retry or skip"),
            )
        return None

    async def _rendering(self, call: Call) -> Rendering:
        return await self._renderer.render(call.song, progress=call.progress, cancelled=call.cancelled)

    async def _export(self, call: Call) -> AudioFileWritten:
        wanted, folder, name = await self._named_as(call)
        written = await self._exporter.export_new(
            call.song, wanted.format, folder, name, progress=call.progress, cancelled=call.cancelled
        )
        return AudioFileWritten(str(written.path))

    async def _named_as(self, call: Call) -> tuple[ExportAudio, str, str]:
        """What is wanted, the project's folder and the file's name."""
        wanted = taken(call.inputs, ExportAudio)
        return wanted, await asyncio.to_thread(self._folder_of, call.project), wanted.name or call.song.name


def _outcome(result: Struct) -> Outcome:
    return Outcome(msgspec.to_builtins(result))


def _same(one: Path, other: Path) -> bool:
    """Whether two files, or two folders of files, have the same content."""
    if not one.is_dir() or not other.is_dir():
        return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)
    names = sorted(path.name for path in one.iterdir())
    if names != sorted(path.name for path in other.iterdir()):
        return False
    return all(filecmp.cmp(one / name, other / name, shallow=False) for name in names)


def _heard(rendering: Rendering) -> Heard:
    return Heard(rendering.duration, rendering.loudness, rendering.true_peak)


def _analysed(song: Song, rendering: Rendering) -> Analysed:
    from app.sound.analysis import analyse_rendering

    report = analyse_rendering(song, rendering)
    silent = tuple(track.name for track in report.tracks if track.silent)
    mix = report.mix
    return Analysed(mix.duration, mix.loudness, mix.true_peak, mix.centroid_hz, mix.longest_silence, silent)

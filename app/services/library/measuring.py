"""What is told of a file of the library: read from a MIDI file's notes, from a sample's header and its name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import IO

from msgspec import Struct

from agent.errors import BandleaderError
from agent.message import msg
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.sounding import kit_tracks, pitched
from app.exchange.midi_in import MAX_BYTES, song_from_midi
from app.services.files.door import Door, FolderEntry, read_whole
from app.services.files.listing import file_kind
from app.services.files.names import shown
from app.services.files.places import Place
from app.services.library.file_names import read_name, words_of
from app.services.library.shelf import CHANGING_METER, CHANGING_TEMPO
from app.storage.library_index import FileKind, LibraryFile

_ENOUGH_PITCHES = 3
"""Number of pitch classes below which no key is detected."""
_LONGEST_FRAMES = 2**40
_MOST_TAGS = 32
_LONGEST_FAULT = 300


class MediaProperties(Struct, frozen=True):
    """Properties read from a file's content, None if not known: tempo in quarter notes per minute, length in `seconds`,
    number of `notes`."""

    tempo: float | None = None
    key: str | None = None
    meter: str | None = None
    seconds: float | None = None
    notes: int | None = None
    tags: tuple[str, ...] = ()


def library_kind(name: str) -> FileKind | None:
    """The kind of a file in the library by its name's ending; None if it does not belong there."""
    kind = file_kind(name)
    return "midi" if kind == "midi" else "sample" if kind == "audio" else None


def measured(place: Place, entry: FolderEntry, door: Door, palette: Palette) -> LibraryFile:
    """What is known of a file; one that cannot be read has a `fault`. Reads the disk."""
    kind = library_kind(entry.name) or "sample"
    stem, folders = PurePath(entry.name).stem, (PurePath(place.grant.path).name, *place.parts[:-1])
    named = read_name(stem)
    figures, fault = MediaProperties(), ""
    try:
        if kind == "midi":
            figures = midi_figures(read_whole(door, place, MAX_BYTES), place.shown, palette)
        else:
            with door.reading(place) as file:
                figures = sample_figures(file)
            figures = MediaProperties(named.tempo, str(named.key) if named.key else None, None, figures.seconds, None,
                              figures.tags)
    except BandleaderError as problem:
        fault = str(problem)[:_LONGEST_FAULT]
    tags = dict.fromkeys((*figures.tags, *words_of(named.rest, *folders)))
    return LibraryFile(
        place.path, place.grant.path, kind, entry.name, entry.size, entry.modified, tuple(tags)[:_MOST_TAGS],
        figures.tempo, figures.key, figures.meter, figures.seconds, figures.notes, fault,
    )


def midi_figures(data: bytes, name: str, palette: Palette) -> MediaProperties:
    """Properties of a MIDI file. Raises `ExchangeError`, with the file's `name`, for one that cannot be imported."""
    found = song_from_midi(data, name, palette)
    song, meter = found.song, found.song.meters[0]
    return MediaProperties(
        round(song.bpm, 3), _key(song, palette), f"{meter.beats}/{meter.unit}",
        round(song.tempo_map.seconds(song.end), 3), found.kept, tuple(dict.fromkeys(_midi_tags(song, palette))),
    )


def sample_figures(file: IO[bytes]) -> MediaProperties:
    """Length, sample rate and channels from the header of a sound file. Raises `SampleError`."""
    # numpy comes with it, and is slow to import.
    import soundfile

    try:
        with soundfile.SoundFile(_Steady(file)) as sound:
            frames, rate, channels = int(sound.frames), int(sound.samplerate), int(sound.channels)
    except Exception as problem:  # libsndfile's reader fails in many ways of its own
        words = shown(str(problem).rpartition(": ")[2] or type(problem).__name__)
        raise SampleError(msg("it is no sound that can be read"), why=words) from None
    if not 0 < frames < _LONGEST_FRAMES or rate < 1 or channels < 1:
        raise SampleError(msg("it is no sound that can be read"), why=msg("its header is impossible"))
    width = {1: "mono", 2: "stereo"}.get(channels, f"{channels} channels")
    return MediaProperties(seconds=round(frames / rate, 3), tags=(width, f"{rate / 1000:g} khz"))


class _Steady:
    """A file that stays where it is when it is sent to an impossible place, as broken headers do: an error within
    the reader's callback would be printed and not raised."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.tell = file.tell

    def seek(self, offset: int, whence: int = 0) -> int:
        try:
            return self._file.seek(offset, whence)
        except (ValueError, OSError, OverflowError):
            return self._file.tell()

    def read(self, size: int = -1) -> bytes:
        try:
            return self._file.read(size)
        except OSError:
            return b""


class SampleError(BandleaderError):
    """A sound file that cannot be read."""


def _key(song: Song, palette: Palette) -> str | None:
    notes = pitched(song, kit_tracks(song, palette))
    return str(song.key) if len({note.pitch % 12 for note in notes}) >= _ENOUGH_PITCHES else None


def _midi_tags(song: Song, palette: Palette) -> Iterator[str]:
    if len(song.tempos) > 1:
        yield CHANGING_TEMPO
    if len(song.meters) > 1:
        yield CHANGING_METER
    for track in song.tracks:
        yield palette.instrument(track.instrument).family

"""SoundFonts of a song's own and of its tracks: which file a track plays from, and what is said where it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent.message import msg
from agent.song.palette import Instrument
from agent.song.song import Song
from agent.song.track import Track
from app.sound.errors import SoundError
from app.sound.font_tables import Preset, presets_of
from app.sound.soundfont import SoundFont, find_own, own_folder

if TYPE_CHECKING:
    from app.sound.part import PartFont

_KITS = 128
_CHANGE = "choose another SoundFont for it"


@dataclass(frozen=True)
class _Known:
    """A file as it was when it was looked at, and what it holds or why it cannot be used."""

    font: SoundFont
    presets: tuple[Preset, ...] = ()
    trouble: SoundError | None = None


class OwnFonts:
    """Which SoundFont files of a song and its tracks can be used; files are checked again only after they have
    changed."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, int, int], _Known] = {}

    def of(self, song: Song, track: Track, instrument: Instrument) -> PartFont | None:
        """The SoundFont that a track plays from instead of the bank; None if none is set or it cannot be used.

        A track's own file plays all of the track, with the preset of its instrument's program number, else with its
        first preset. A song's file plays those instruments of the bank that it has; sampled kits and layered
        instruments stay."""
        from app.sound.part import PartFont

        own = self._usable(track.soundfont)
        if own is not None:
            bank, program = _nearest(own.presets, instrument)
            return PartFont(str(own.font.path), own.font.digest, bank, program)
        whole = None if instrument.samples or instrument.layers else self._usable(song.soundfont)
        if whole is None or (instrument.bank, instrument.program) not in whole.presets:
            return None
        return PartFont(str(whole.font.path), whole.font.digest, instrument.bank, instrument.program)

    def lacks(self, song: Song) -> Iterator[str]:
        """For each file that a song names and that cannot be used a sentence: which, and what to do."""
        for file, tracks in _wanted(song).items():
            who = ", ".join(tracks) if tracks else "the song"
            other = song.soundfont if tracks and self._usable(song.soundfont) else "the bank"
            try:
                known = self._look(file)
            except SoundError as error:
                yield f"{file} cannot be used ({error.why}), so {who} plays from {other}: {_CHANGE}"
                continue
            if known is None:
                yield f"{file} is not there, so {who} plays from {other}: put it into {own_folder()}, or {_CHANGE}"
            elif known.trouble is not None:
                yield f"{file} cannot be used ({known.trouble.why}), so {who} plays from {other}: {_CHANGE}"

    def _usable(self, file: str) -> _Known | None:
        try:
            known = self._look(file) if file else None
        except SoundError:
            return None
        return known if known is not None and known.trouble is None else None

    def _look(self, file: str) -> _Known | None:
        """What is known of a file; None where none of that name is there. Raises `SoundError` for one that is gone."""
        path = find_own(file)
        if path is None:
            return None
        try:
            about = path.stat()
        except OSError as error:
            raise SoundError(msg("cannot read {file}", file=file), why=error.strerror or str(error)) from error
        key = path, about.st_mtime_ns, about.st_size
        if key not in self._known:
            try:
                self._known[key] = _Known(SoundFont(path), presets_of(path))
            except SoundError as error:
                self._known[key] = _Known(SoundFont(path), trouble=error)
        return self._known[key]


def _wanted(song: Song) -> dict[str, list[str]]:
    """The files that sounding tracks want, each with the tracks that alone want it."""
    sounding = [track for track in song.tracks if track.note_count and not track.mute]
    wanted: dict[str, list[str]] = {song.soundfont: []} if song.soundfont and sounding else {}
    for track in sounding:
        if track.soundfont and track.soundfont != song.soundfont:
            wanted.setdefault(track.soundfont, []).append(track.name)
    return wanted


def _nearest(presets: tuple[Preset, ...], instrument: Instrument) -> Preset:
    """The sound of the instrument's number, else for drums the first kit, else the first sound."""
    if (instrument.bank, instrument.program) in presets:
        return instrument.bank, instrument.program
    kits = [one for one in presets if one[0] == _KITS]
    melodic = [one for one in presets if one[0] != _KITS]
    return ((kits or melodic) if instrument.bank == _KITS else (melodic or kits))[0]

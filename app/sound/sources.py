"""What a person should know of the banks that a song is heard from."""

from __future__ import annotations

from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from app.sound.errors import SoundError
from app.sound.own_fonts import OwnFonts
from app.sound.soundfont import BETTER_BANK, PACKAGES, find_samples, find_soundfont


def bank_remark() -> str:
    """What is missing if only the bundled bank is installed, in words; empty if a better one is installed, or none at
    all."""
    try:
        bank = find_soundfont()
    except SoundError:
        return ""  # told by what would have played it
    return f"heard from {bank.path.stem}, a small bank of last resort: {BETTER_BANK}" if bank.carried else ""


def lacks_of(song: Song, palette: Palette) -> tuple[str, ...]:
    """Sentences about sounds of a song that are replaced by others because something is not installed."""
    if not song.note_count:
        return ()
    kits = [one for one in _sampled(song, palette) if not _there(one)]
    missing = tuple(
        f"the {one.label} is not installed, so the bank's own kit plays instead: "
        f"{PACKAGES.get(_file(one), _file(one))} has it"
        for one in kits
    )
    bank = bank_remark()
    return (*((bank,) if bank else ()), *missing, *OwnFonts().lacks(song))


def terms_of(song: Song, palette: Palette) -> tuple[str, ...]:
    """What the licences of the samples in a song require of whoever publishes it, a sentence each."""
    return tuple(
        f"{one.label}: {one.samples.terms}" for one in _sampled(song, palette) if one.samples and _there(one)
    )


def _sampled(song: Song, palette: Palette) -> list[Instrument]:
    """The sampled kits that play in a song."""
    played = {track.instrument for track in song.tracks if track.note_count and not track.mute}
    return [one for one in palette.instruments if one.samples is not None and one.name in played]


def _there(instrument: Instrument) -> bool:
    try:
        return find_samples(_file(instrument)) is not None
    except SoundError:
        return True  # told by what would have played it


def _file(instrument: Instrument) -> str:
    return "" if instrument.samples is None else instrument.samples.file

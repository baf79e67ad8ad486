"""What a hand does at the mixer: faders, pan, instruments, loudness, and how their values are written and read."""

from __future__ import annotations

import re

from agent.song.edits import SetLoudness, UpdateTrack
from agent.song.ids import TrackId
from agent.song.song import Song
from app.i18n import tr
from app.viewmodels.edits.clip_edits import HIGHEST, LOWEST, MAX_NAME, HandEdit, find_track

ZERO_AT = 0.8
"""Position of 0 dB on a fader as a share of its travel from below."""
FADER_STEP = 0.5
FINE_STEP = 0.1
"""Decibels by which one key press moves a fader."""
PAN_STEP = 0.05
FINE_PAN_STEP = 0.01
FINE = 0.2
"""Factor between the pointer's movement and that of a finely moved handle."""
LOUDEST, SOFTEST = -5.0, -40.0
"""Range of a song's loudness target in LUFS."""

_BEND = 1.6
_NUMBER = re.compile(r"[+-]?\d*[.,]?\d+")


def fader_share(volume_db: float) -> float:
    """Position of a fader (0 to 1 from below) at a volume in dB."""
    level = min(HIGHEST, max(LOWEST, volume_db))
    if level >= 0:
        return ZERO_AT + level / HIGHEST * (1 - ZERO_AT)
    return float(ZERO_AT * (1 - (level / LOWEST) ** (1 / _BEND)))


def fader_volume(share: float) -> float:
    """The volume in dB at a fader position (0 to 1 from below); finer near 0 dB than far below."""
    share = min(1.0, max(0.0, share))
    if share >= ZERO_AT:
        return (share - ZERO_AT) / (1 - ZERO_AT) * HIGHEST
    return float(LOWEST * (1 - share / ZERO_AT) ** _BEND)


def held_volume(volume_db: float) -> float:
    """The volume clamped to the fader's range and rounded to 0.1 dB."""
    return round(min(HIGHEST, max(LOWEST, volume_db)), 1) + 0.0


def held_pan(pan: float) -> float:
    """The pan clamped to -1 to 1 and rounded to hundredths."""
    return round(min(1.0, max(-1.0, pan)), 2) + 0.0


def pan_in_words(pan: float) -> str:
    """A pan as it is written on a strip: "L 30", "C", "R 100"."""
    percent = round(abs(pan) * 100)
    if not percent:
        return tr("C")
    return tr("L {percent}", percent=percent) if pan < 0 else tr("R {percent}", percent=percent)


def read_volume(text: str) -> float | None:
    """The volume in dB that a person typed ("-6", "−6,5 dB"); None if it is no number."""
    number = read_number(text)
    return None if number is None else held_volume(number)


def read_pan(text: str) -> float | None:
    """The pan (-1 to 1) that a person typed as "L30", "-30", "c", "r 100"; None for anything else."""
    words = text.strip().casefold()
    if words in ("c", tr("C").casefold()):
        return 0.0
    number = read_number(words.lstrip("lr "))
    if number is None:
        return None
    return held_pan((-abs(number) if words.startswith("l") else number) / 100)


def read_number(text: str) -> float | None:
    """The first number in a typed text, with a comma or a point and any minus sign; None if there is none."""
    found = _NUMBER.search(text.strip().replace("\N{MINUS SIGN}", "-"))
    return None if found is None else float(found.group().replace(",", "."))


def with_mix(song: Song, track_id: TrackId, volume_db: float | None, pan: float | None) -> HandEdit:
    """The edit that sets volume (dB) and pan of a track; None leaves one unchanged. Without edits if nothing
    changes."""
    track = find_track(song, track_id)
    if track is None:
        return HandEdit()
    edit = UpdateTrack(track_id=track_id)
    volume_db = None if volume_db is None or held_volume(volume_db) == track.volume_db else held_volume(volume_db)
    pan = None if pan is None or held_pan(pan) == track.pan else held_pan(pan)
    if volume_db is not None and pan is not None:
        edit = UpdateTrack(track_id=track_id, volume_db=volume_db, pan=pan)
    elif volume_db is not None:
        edit = UpdateTrack(track_id=track_id, volume_db=volume_db)
    elif pan is not None:
        edit = UpdateTrack(track_id=track_id, pan=pan)
    else:
        return HandEdit()
    what = tr("Pan of {name}", name=track.name) if volume_db is None else tr("Volume of {name}", name=track.name)
    return HandEdit((edit,), what[:MAX_NAME])


def with_instrument(song: Song, track_id: TrackId, instrument: str) -> HandEdit:
    """The edit that sets the instrument of a track."""
    track = find_track(song, track_id)
    if track is None or track.instrument == instrument:
        return HandEdit()
    label = tr("Instrument of {name}", name=track.name)[:MAX_NAME]
    return HandEdit((UpdateTrack(track_id=track_id, instrument=instrument),), label)


def with_loudness(song: Song, target: float) -> HandEdit:
    """The edit that sets the song's loudness target in LUFS, clamped and rounded to a tenth."""
    held = round(min(LOUDEST, max(SOFTEST, target)), 1)
    if held == song.loudness_target:
        return HandEdit()
    return HandEdit((SetLoudness(target=held),), tr("Loudness target"))

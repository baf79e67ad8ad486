"""What the number display says, as texts."""

from __future__ import annotations

import math

from agent.song.song import Song
from agent.song.time import PPQ, Ticks
from app.i18n import tr
from app.viewmodels.texts.figures import MINUS
from app.viewmodels.texts.figures import decibels as level_text
from app.viewmodels.texts.key_words import key_in_words

DASH = "—"
_FLOOR_DB = -100.0
_TEMPO_LEAST, _TEMPO_MOST = 1.0, 999.0


def position(song: Song, at: int) -> str:
    """A tick as bar and beat, counted from 1, and tick of the beat, from 0: "17.3.480"."""
    bars = song.bar_map
    bar, meter = bars.bar_at(at), song.bar_map.meter_at(at)
    beat = PPQ * 4 // meter.unit
    into = at - bars.start_of(bar)
    return f"{bar}.{into // beat + 1}.{into % beat:03d}"


def clock(seconds: float) -> str:
    """Seconds as minutes, seconds and hundredths: "0:35.36"."""
    hundredths = max(0, math.floor(seconds * 100 + 1e-6))
    return f"{hundredths // 6000}:{hundredths // 100 % 60:02d}.{hundredths % 100:02d}"


def tempo(bpm: float) -> str:
    """BPM with two decimals: "112.00"."""
    return f"{bpm:.2f}"


def short_tempo(bpm: float) -> str:
    """BPM with as few decimals as it takes: "84", "84.5"."""
    return f"{bpm:.2f}".rstrip("0").rstrip(".")


def read_tempo(text: str) -> float | None:
    """The BPM that a person typed, 1 to 999 with a point or a comma; None for anything else."""
    try:
        bpm = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return round(bpm, 2) if _TEMPO_LEAST <= round(bpm, 2) <= _TEMPO_MOST else None


def meter(song: Song, at: int) -> str:
    """The meter at a tick: "4 / 4"."""
    now = song.bar_map.meter_at(at)
    return f"{now.beats} / {now.unit}"


def key(song: Song) -> str:
    """The song's key with musical signs: "B♭ major"; a dash if the song has no tracks."""
    if not song.tracks:
        return DASH
    return key_in_words(song.key)


def loop(song: Song, span: tuple[Ticks, Ticks] | None) -> str:
    """First and last bar of the loop range: "9 – 24"; a dash for none."""
    if span is None:
        return DASH
    first, last = song.bar_map.bar_at(span[0]), song.bar_map.bar_at(span[1] - 1)
    return str(first) if first == last else f"{first} – {last}"


def decibels(level: float) -> str:
    """A level in dB as text: "−9.4 dB"."""
    if not level > _FLOOR_DB:
        return tr("{level} dB", level=f"{MINUS}∞")
    return tr("{level} dB", level=level_text(level))


def loudness(lufs: float | None) -> str:
    """Integrated loudness as text: "−14.2 LUFS"; "no signal" for None or silence."""
    if lufs is None or not math.isfinite(lufs):
        return tr("no signal")
    return tr("{level} LUFS", level=level_text(lufs))


def preparing(share: float | None) -> str:
    """The share (0 to 1) of the sound that is ready, in words; empty for None, when all of it is."""
    return "" if share is None else tr("Preparing sound {percent}%", percent=math.floor(share * 100))

"""What the timeline says in words: places, lengths, and the item that the keyboard is at."""

from __future__ import annotations

from agent.song.clip import Clip
from agent.song.song import Song
from agent.song.time import BarMap, Ticks
from agent.song.track import Track
from app.desktop.ghosts import GhostAutomation, GhostClip, GhostMeter, GhostTempo

_CURVES = {"volume_db": "volume", "pan": "pan", "bend": "pitch bend"}
KINDS = {"added": "new", "changed": "changed", "removed": "to be removed"}


def place_in_words(bars: BarMap, at: int) -> str:
    """Bar, beat and sixteenth of a tick: "25.1.1"."""
    bar = bars.bar_at(at)
    meter = bars.meter_at(at)
    inside = at - bars.start_of(bar)
    unit = 960 * 4 // meter.unit
    return f"{bar}.{inside // unit + 1}.{inside % unit * 4 // unit + 1}"


def length_in_words(bars: BarMap, start: int, length: int) -> str:
    """A length as a person counts it: "8 bars", or "2.5 beats" where it is not of whole bars."""
    bar = bars.bar_at(start)
    first = bars.start_of(bar)
    end = start + length
    whole = bars.bar_at(end) - bar
    if whole > 0 and bars.start_of(bar + whole) - first == length:
        return f"{whole} bar" if whole == 1 else f"{whole} bars"
    beats = length / 960
    return "1 beat" if beats == 1 else f"{beats:.4g} beats"


def bars_in_words(bars: BarMap, start: int, end: int) -> str:
    """The bars that a stretch touches, first and last included: "bars 1 to 25"."""
    first, last = bars.bar_at(start), bars.bar_at(max(start, end - 1))
    return f"bar {first}" if first == last else f"bars {first} to {last}"


def clip_in_words(song: Song, track: Track, clip: Clip, *, selected: bool, locked: bool) -> str:
    """A clip of the song as a screen reader says it."""
    notes = f"{len(clip.notes)} note" if len(clip.notes) == 1 else f"{len(clip.notes)} notes"
    parts = ["Clip", clip.name, track.name, bars_in_words(song.bar_map, clip.start, clip.end), notes]
    parts += ["selected"] * selected + ["locked"] * locked + ["muted"] * track.mute
    return ", ".join(parts)


def ghost_in_words(song: Song, track: Track, ghost: GhostClip) -> str:
    """A ghost as a screen reader says it."""
    where = bars_in_words(song.bar_map, ghost.clip.start, ghost.clip.end)
    parts = ["Ghost clip", f"step {ghost.cause.number}", ghost.clip.name, track.name, where]
    return ", ".join([*parts, KINDS[ghost.kind]])


def tempo_in_words(ghost: GhostTempo) -> str:
    """A proposed tempo on its flag: "90 BPM", "82 → 72 BPM" where another one stands there."""
    was = "" if ghost.was is None else f"{ghost.was.bpm:g} → "
    return f"{was}{ghost.change.bpm:g} BPM"


def meter_in_words(ghost: GhostMeter) -> str:
    """A proposed meter on its flag: "3/4", "4/4 → 3/4" where another one stands there."""
    was = "" if ghost.was is None else f"{ghost.was.beats}/{ghost.was.unit} → "
    return f"{was}{ghost.change.beats}/{ghost.change.unit}"


def curve_in_words(target: str) -> str:
    """What an automation moves, for a person: "volume", "reverb wet"."""
    return (_CURVES.get(target) or target.rpartition(".")[2].replace("_", " ")) if target else ""


def automation_in_words(song: Song, ghost: GhostAutomation) -> str:
    """A proposed curve as a screen reader says it."""
    track = next((one.name for one in song.tracks if one.id == ghost.track), "")
    points = len(ghost.curve.points)
    return ", ".join([
        "Ghost curve", f"step {ghost.cause.number}", f"{curve_in_words(ghost.curve.target)} of {track}",
        "1 point" if points == 1 else f"{points} points", KINDS[ghost.kind],
    ])


def drop_in_words(bars: BarMap, start: Ticks, length: int) -> str:
    """Where a dragged clip would come to lie: "25.1.1, 8 bars"."""
    return f"{place_in_words(bars, start)}, {length_in_words(bars, start, length)}"


def decibels_in_words(volume: float) -> str:
    """A level with its sign: "−2.5"."""
    text = f"{volume:.1f}"
    return text.replace("-", "−") if text != "-0.0" else "0.0"

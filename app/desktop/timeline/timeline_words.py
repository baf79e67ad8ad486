"""What the timeline says in words: places, lengths, and the item that the keyboard is at."""

from __future__ import annotations

from agent.song.clip import Clip
from agent.song.song import Song
from agent.song.time import BarMap, Ticks
from agent.song.track import Track
from app.desktop.review.ghosts import GhostAutomation, GhostClip, GhostMeter, GhostTempo, Kind
from app.words import tr, trn


def kind_in_words(kind: Kind) -> str:
    """What a step would do to a thing: "new", "changed", "to be removed"."""
    return {"added": tr("new"), "changed": tr("changed"), "removed": tr("to be removed")}[kind]


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
        return trn("{count} bar", "{count} bars", whole)
    beats = length / 960
    return trn("{beats} beat", "{beats} beats", beats, beats=f"{beats:.4g}")


def bars_in_words(bars: BarMap, start: int, end: int) -> str:
    """The bars that a stretch touches, first and last included: "bars 1 to 25"."""
    first, last = bars.bar_at(start), bars.bar_at(max(start, end - 1))
    return tr("bar {bar}", bar=first) if first == last else tr("bars {first} to {last}", first=first, last=last)


def clip_in_words(song: Song, track: Track, clip: Clip, *, selected: bool, locked: bool) -> str:
    """A clip of the song as a screen reader says it."""
    notes = trn("{count} note", "{count} notes", len(clip.notes))
    parts = [tr("Clip"), clip.name, track.name, bars_in_words(song.bar_map, clip.start, clip.end), notes]
    parts += [tr("selected")] * selected + [tr("locked")] * locked + [tr("muted")] * track.mute
    return tr(", ").join(parts)


def ghost_in_words(song: Song, track: Track, ghost: GhostClip) -> str:
    """A ghost as a screen reader says it."""
    where = bars_in_words(song.bar_map, ghost.clip.start, ghost.clip.end)
    parts = [tr("Ghost clip"), tr("step {number}", number=ghost.cause.number), ghost.clip.name, track.name, where]
    return tr(", ").join([*parts, kind_in_words(ghost.kind)])


def tempo_in_words(ghost: GhostTempo) -> str:
    """A proposed tempo on its flag: "90 BPM", "82 → 72 BPM" where another one stands there."""
    was = "" if ghost.was is None else f"{ghost.was.bpm:g} → "
    return tr("{bpm} BPM", bpm=f"{was}{ghost.change.bpm:g}")


def meter_in_words(ghost: GhostMeter) -> str:
    """A proposed meter on its flag: "3/4", "4/4 → 3/4" where another one stands there."""
    was = "" if ghost.was is None else f"{ghost.was.beats}/{ghost.was.unit} → "
    return f"{was}{ghost.change.beats}/{ghost.change.unit}"


def curve_in_words(target: str) -> str:
    """What an automation moves, for a person: "volume", "reverb wet"."""
    known = {
        "volume_db": tr("volume"), "pan": tr("pan"), "bend": tr("pitch bend"), "pedal": tr("pedal"),
        "expression": tr("expression"), "modulation": tr("modulation"),
    }
    return (known.get(target) or target.rpartition(".")[2].replace("_", " ")) if target else ""


def automation_in_words(song: Song, ghost: GhostAutomation) -> str:
    """A proposed curve as a screen reader says it."""
    track = next((one.name for one in song.tracks if one.id == ghost.track), "")
    points = len(ghost.curve.points)
    return tr(", ").join([
        tr("Ghost curve"), tr("step {number}", number=ghost.cause.number),
        tr("{curve} of {track}", curve=curve_in_words(ghost.curve.target), track=track),
        trn("{count} point", "{count} points", points), kind_in_words(ghost.kind),
    ])


def drop_in_words(bars: BarMap, start: Ticks, length: int) -> str:
    """Where a dragged clip would come to lie: "25.1.1, 8 bars"."""
    return tr("{place}, {length}", place=place_in_words(bars, start), length=length_in_words(bars, start, length))


def decibels_in_words(volume: float) -> str:
    """A level with its sign: "−2.5"."""
    text = f"{volume:.1f}"
    return text.replace("-", "−") if text != "-0.0" else "0.0"


def color_name(name: str) -> str:
    """A colour of tracks, by its English name."""
    return {
        "Violet": tr("Violet"), "Coral": tr("Coral"), "Gold": tr("Gold"), "Teal": tr("Teal"), "Mint": tr("Mint"),
        "Moss": tr("Moss"), "Sky": tr("Sky"), "Brick": tr("Brick"), "Sand": tr("Sand"), "Blue": tr("Blue"),
        "Rose": tr("Rose"), "Pink": tr("Pink"),
    }.get(name, name)


def family_name(name: str) -> str:
    """A family of instruments, as the title of a menu."""
    return {
        "drums": tr("Drums"), "percussion": tr("Percussion"), "bass": tr("Bass"), "guitar": tr("Guitar"),
        "keys": tr("Keys"), "piano": tr("Piano"), "organ": tr("Organ"), "strings": tr("Strings"),
        "brass": tr("Brass"), "woodwind": tr("Woodwind"), "choir": tr("Choir"), "pad": tr("Pad"),
        "lead": tr("Lead"), "pluck": tr("Pluck"), "arp": tr("Arpeggio"), "fx": tr("Effects"),
    }.get(name, name)

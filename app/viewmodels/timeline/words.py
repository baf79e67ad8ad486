"""What the timeline says in words: places, lengths, and the item that the keyboard is at."""

from __future__ import annotations

from agent.song.clip import Clip
from agent.song.song import Song
from agent.song.time import BarMap, Ticks
from agent.song.track import Track
from app.i18n import tr, trn
from app.viewmodels.plan.ghosts import GhostAutomation, GhostClip, GhostMeter, GhostTempo, Kind
from app.viewmodels.texts.curve_words import curve_in_words
from app.viewmodels.texts.places import bars_in_words, length_in_words, place_in_words


def kind_in_words(kind: Kind) -> str:
    """What a step would do to something: "new", "changed", "to be removed"."""
    return {"added": tr("new"), "changed": tr("changed"), "removed": tr("to be removed")}[kind]


def clip_in_words(song: Song, track: Track, clip: Clip, *, selected: bool, locked: bool) -> str:
    """A clip of the song for screen readers, with whether it is selected and locked."""
    notes = trn("{count} note", "{count} notes", len(clip.notes))
    parts = [tr("Clip"), clip.name, track.name, bars_in_words(song.bar_map, clip.start, clip.end), notes]
    parts += [tr("selected")] * selected + [tr("locked")] * locked + [tr("muted")] * track.mute
    return tr(", ").join(parts)


def ghost_in_words(song: Song, track: Track, ghost: GhostClip) -> str:
    """A ghost for screen readers."""
    where = bars_in_words(song.bar_map, ghost.clip.start, ghost.clip.end)
    parts = [tr("Ghost clip"), tr("step {number}", number=ghost.cause.number), ghost.clip.name, track.name, where]
    return tr(", ").join([*parts, kind_in_words(ghost.kind)])


def tempo_in_words(ghost: GhostTempo) -> str:
    """The text of a proposed tempo's flag: "90 BPM", or "82 → 72 BPM" if it replaces one."""
    was = "" if ghost.was is None else f"{ghost.was.bpm:g} → "
    return tr("{bpm} BPM", bpm=f"{was}{ghost.change.bpm:g}")


def meter_in_words(ghost: GhostMeter) -> str:
    """The text of a proposed meter's flag: "3/4", or "4/4 → 3/4" if it replaces one."""
    was = "" if ghost.was is None else f"{ghost.was.beats}/{ghost.was.unit} → "
    return f"{was}{ghost.change.beats}/{ghost.change.unit}"


def automation_in_words(song: Song, ghost: GhostAutomation) -> str:
    """A proposed automation for screen readers."""
    track = next((one.name for one in song.tracks if one.id == ghost.track), "")
    points = len(ghost.curve.points)
    return tr(", ").join([
        tr("Ghost curve"), tr("step {number}", number=ghost.cause.number),
        tr("{curve} of {track}", curve=curve_in_words(ghost.curve.target), track=track),
        trn("{count} point", "{count} points", points), kind_in_words(ghost.kind),
    ])


def drop_in_words(bars: BarMap, start: Ticks, length: int) -> str:
    """Where a dragged clip would be: "25.1.1, 8 bars"."""
    return tr("{place}, {length}", place=place_in_words(bars, start), length=length_in_words(bars, start, length))


def family_name(name: str) -> str:
    """The translated name of a family of instruments."""
    return {
        "drums": tr("Drums"), "percussion": tr("Percussion"), "bass": tr("Bass"), "guitar": tr("Guitar"),
        "keys": tr("Keys"), "piano": tr("Piano"), "organ": tr("Organ"), "strings": tr("Strings"),
        "brass": tr("Brass"), "woodwind": tr("Woodwind"), "choir": tr("Choir"), "pad": tr("Pad"),
        "lead": tr("Lead"), "pluck": tr("Pluck"), "arp": tr("Arpeggio"), "fx": tr("Effects"),
    }.get(name, name)

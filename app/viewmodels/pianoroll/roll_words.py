"""What the piano roll says in words: notes, lengths and places."""

from __future__ import annotations

from agent.song.clip import Clip, Note
from agent.song.key import Key, Mode
from agent.song.time import PPQ, BarMap
from agent.song.track import Track
from agent.theory.pitch import pitch_name
from app.i18n import tr, trn
from app.viewmodels.pianoroll.drums import piece_name
from app.viewmodels.texts.figures import bars_text, number
from app.viewmodels.texts.places import beat_in_words, touched_bars

_LONGEST = 80
_EVEN = {PPQ * 4: "1/1", PPQ * 2: "1/2", PPQ: "1/4", PPQ // 2: "1/8", PPQ // 4: "1/16", PPQ // 8: "1/32"}


def length_in_words(ticks: int) -> str:
    """A length as musicians write it, or in beats: "1/4", "dotted 1/8", "1/8 triplet", "2.5 beats"."""
    if ticks in _EVEN:
        return _EVEN[ticks]
    for even, name in _EVEN.items():
        if ticks * 2 == even * 3:
            return tr("dotted {length}", length=name)
        if ticks * 3 == even * 2:
            return tr("{length} triplet", length=name)
    beats = ticks / PPQ
    return trn("{count} beat", "{count} beats", beats, count=number(beats))


def pitch_in_words(pitch: int, key: Key | None, *, kit: bool) -> str:
    """The name of a pitch, or with `kit` of a drum."""
    return piece_name(pitch) if kit else pitch_name(pitch, key)


def note_in_words(note: Note, clip: Clip, bars: BarMap, key: Key | None, *, kit: bool) -> str:
    """A note for screen readers: "Note C4, bar 9 beat 2, 1/4, velocity 90"."""
    name, where = pitch_in_words(note.pitch, key, kit=kit), beat_in_words(bars, clip.start + note.start)
    if kit:
        return tr("{piece}, {where}, velocity {velocity}", piece=name, where=where, velocity=note.velocity)
    return tr(
        "Note {name}, {where}, {length}, velocity {velocity}",
        name=name, where=where, length=length_in_words(note.duration), velocity=note.velocity,
    )


def clip_in_words(clip: Clip, track: Track, bars: BarMap) -> str:
    """A clip in words: "Held roots, Bass, bars 9–24, 34 notes"."""
    where = bars_text(*touched_bars(bars, clip.start, clip.end))
    notes = trn("{count} note", "{count} notes", len(clip.notes), count=f"{len(clip.notes):,}")
    return tr(
        "{clip}, {track}, {where}, {notes}", clip=clip.name[:_LONGEST], track=track.name[:_LONGEST], where=where,
        notes=notes,
    )


def here_in_words(what: str, detail: str) -> str:
    """A label for what is dragged and where it is: "C4, bar 9 beat 2" for "C4" and "bar 9 beat 2"."""
    return tr("{what}, {detail}", what=what, detail=detail)


def mode_in_words(mode: Mode) -> str:
    """The translated name of a mode."""
    return {
        "major": tr("major"), "minor": tr("minor"), "dorian": tr("dorian"), "phrygian": tr("phrygian"),
        "lydian": tr("lydian"), "mixolydian": tr("mixolydian"), "locrian": tr("locrian"),
        "harmonic_minor": tr("harmonic minor"), "melodic_minor": tr("melodic minor"),
    }[mode]

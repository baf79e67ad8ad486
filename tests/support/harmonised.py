"""Songs of four voices that are written chord by chord, to ask about their harmony."""

from __future__ import annotations

from chatting import section

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.key import Key
from agent.song.song import Section, Song
from agent.song.time import TempoChange, Ticks, to_ticks
from agent.song.track import Track
from agent.theory.pitch import pitch

_VOICES = ("Bass", "Tenor", "Alto", "Soprano")


def harmonised(chords: str, *, sections: tuple[Section, ...] = ()) -> Song:
    """A song in C major at 120 BPM from chords such as "C3 G3 E4 C5*2 | …": the notes from the bass up, held for
    a beat or for the beats behind a star; bar lines only help to read."""
    tracks: dict[str, list[Note]] = {name: [] for name in _VOICES}
    at = 0.0
    for chord in chords.replace("|", " ; ").split(";"):
        if not chord.strip():
            continue
        body, _, star = chord.strip().partition("*")
        beats = float(star or 1)
        for name, note in zip(_VOICES, body.split(), strict=False):
            found = tracks[name]
            found.append(Note(NoteId(f"{name}{len(found)}"), pitch(note), to_ticks(at), to_ticks(beats), 90))
        at += beats
    return Song(
        name="Harmonised", key=Key("C"), sections=sections, tempos=(TempoChange(Ticks(0), 120.0),),
        tracks=tuple(
            Track(TrackId(name), name, "piano_grand",
                  clips=(Clip(ClipId(f"{name}c"), name, to_ticks(0), to_ticks(at), tuple(notes)),))
            for name, notes in tracks.items()
        ),
    )


def halves() -> tuple[Section, ...]:
    """Two sections of two bars."""
    return section("First", 1), section("Second", 3)

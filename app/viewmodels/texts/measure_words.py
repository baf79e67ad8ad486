"""What a run measured, in words: the name of a figure, of what it was taken, and its value."""

from __future__ import annotations

from typing import get_args

from agent.song.key import Key, Mode
from app.i18n import tr
from app.viewmodels.texts.figures import number
from app.viewmodels.texts.key_words import key_in_words

_UNITS = {"tempo": "BPM", "level": "dB", "loudness_target": "LUFS"}


def measure_words(measure: str) -> str:
    """The name of a measure in words: "onsets per bar of Drums" for "onsets_per_bar:Drums"."""
    kind, _, what = measure.partition(":")
    named = _named(kind)
    return tr("{measure} of {what}", measure=named, what=what) if what else named


def figure_words(measure: str, value: float | str | None) -> str:
    """A measured value with its unit if it has one: 84 BPM, −3 dB, 0.21, 4/4, D minor; "?" for None."""
    if value is None:
        return "?"
    if not isinstance(value, str):
        unit = _UNITS.get(measure.partition(":")[0])
        return f"{number(value)} {unit}" if unit else number(value)
    return _key(value) if measure == "key" else value


def _named(kind: str) -> str:
    known = {
        "tempo": tr("tempo"), "key": tr("key"), "meter": tr("meter"), "name": tr("name"), "bars": tr("bars"),
        "seconds": tr("seconds"), "tracks": tr("tracks"), "notes": tr("notes"),
        "loudness_target": tr("loudness target"), "onsets_per_bar": tr("onsets per bar"),
        "attacks_per_bar": tr("attacks per bar"), "mean_note_beats": tr("beats of a note"),
        "notes_per_attack": tr("notes per attack"), "percussion_hits": tr("drum hits"),
        "backbeats_per_bar": tr("backbeats per bar"), "pad_share": tr("share of held sound"),
        "register": tr("register"), "velocity": tr("velocity"), "swing": tr("swing"), "groove": tr("groove"),
        "brightness": tr("brightness"), "energy": tr("energy"), "looseness": tr("looseness"), "level": tr("level"),
        "pan": tr("pan"), "reverb": tr("reverb"), "echo": tr("echo"), "wetness": tr("wetness"),
        "wet_share": tr("share of tracks with space"), "tone": tr("tone"), "width": tr("width"),
        "punch": tr("punch"), "drive": tr("drive"), "melody_similarity": tr("likeness of the melody"),
        "root_agreement": tr("roots that agree"), "chord_change": tr("chords that changed"),
        "fills": tr("drum fills"), "ghost_notes": tr("ghost notes"), "accent": tr("stress of the first beat"),
        "with_kick": tr("bass notes with the kick"), "highest": tr("highest note"), "lowest": tr("lowest note"),
        "loudest": tr("loudest note"),
        "widest_leap": tr("widest leap"), "mirrored": tr("moves that are mirrored"),
        "same_sounds": tr("sounds that stayed"), "unchanged": tr("what stayed"),
    }
    return known.get(kind, kind.replace("_", " "))


def _key(value: str) -> str:
    """A key as the song writes it."""
    tonic, _, said = value.partition(" ")
    mode = next((one for one in get_args(Mode) if one.replace("_", " ") == said), None)
    return value if mode is None else key_in_words(Key(tonic, mode))

"""What a person calls the inputs of tools, their values, and the tools themselves."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from agent.plan.plan import Json
from app.words import later, tr

_NAMES: Mapping[str, str] = MappingProxyType({
    "accept": later("Accept"), "add_notes": later("Add notes"), "at_beat": later("At beat"),
    "at_time": later("At beat"), "attack": later("Attack"),
    "beats": later("Beats"), "bpm": later("Tempo, BPM"), "ceiling": later("Ceiling"),
    "centre": later("Centre"), "centre_delay": later("Centre delay"), "clip_id": later("Clip"),
    "chords": later("Chords"), "color": later("Colour"), "curve": later("Curve"), "cutoff": later("Cutoff"),
    "damping": later("Damping"),
    "depth": later("Depth"), "drive": later("Drive"), "duration": later("Length in beats"),
    "effect_id": later("Effect"), "effect_name": later("Effect"), "enabled": later("On"), "factor": later("Factor"),
    "family": later("Family"), "feedback": later("Feedback"), "folder": later("Folder"), "format": later("Format"),
    "gain": later("Gain"), "grid": later("Grid"), "high_freq": later("High frequency"), "high_gain": later("High gain"),
    "instrument": later("Instrument"), "iteration": later("Iteration"), "keep": later("Keep"), "key": later("Key"),
    "kind": later("Kind"), "label": later("Name"), "level": later("Level"), "low_freq": later("Low frequency"),
    "low_gain": later("Low gain"), "makeup": later("Make-up gain"), "mid_freq": later("Middle frequency"),
    "mid_gain": later("Middle gain"), "mid_q": later("Middle width"), "mix": later("Mix"), "mode": later("Mode"),
    "mute": later("Mute"), "name": later("Name"), "notes": later("Notes"), "operation": later("Operation"),
    "pan": later("Pan"), "params": later("Settings"), "path": later("File"), "pattern": later("Pattern"),
    "points": later("Points"), "position": later("Place"), "rate": later("Rate"), "ratio": later("Ratio"),
    "recursive": later("Folders within"), "release": later("Release"), "remove_notes": later("Remove notes"),
    "replace": later("Replace"), "room_size": later("Room size"), "section_id": later("Section"),
    "seed": later("Seed"), "semitones": later("Semitones"), "start_time": later("Start in beats"),
    "strength": later("Strength"), "tag": later("Tag"), "tags": later("Tags"), "target": later("Target"),
    "tempo_from": later("Tempo from"), "tempo_to": later("Tempo to"), "text": later("Text"),
    "threshold": later("Threshold"), "time": later("Time"), "timing": later("Timing"), "to": later("To"),
    "to_track_id": later("To track"), "tonic": later("Tonic"), "tools": later("Tools"), "track_id": later("Track"),
    "tracks": later("Tracks"), "type": later("Type"), "unit": later("Beat unit"), "use_meter": later("Use its meter"),
    "use_tempo": later("Use its tempo"), "velocity": later("Velocity"), "volume_db": later("Volume"),
    "width": later("Width"),
    # Tools that a goal may be given.
    "create_track": later("Create track"), "update_track": later("Update track"),
    "delete_track": later("Delete track"), "duplicate_track": later("Duplicate track"),
    "create_midi_clip": later("Create MIDI clip"), "modify_clip": later("Modify clip"),
    "transform_clip": later("Transform clip"), "duplicate_clip": later("Duplicate clip"),
    "split_clip": later("Split clip"), "delete_clip": later("Delete clip"), "add_effect": later("Add effect"),
    "update_effect": later("Update effect"), "remove_effect": later("Remove effect"),
    "set_automation": later("Set automation"), "set_tempo": later("Set tempo"),
    "set_time_signature": later("Set time signature"), "set_key": later("Set key"),
    "set_chords": later("Set chords"),
    "set_sound_font": later("Set SoundFont"),
    "set_loudness": later("Set loudness"), "rename_song": later("Rename song"), "add_section": later("Add section"),
    "update_section": later("Update section"), "delete_section": later("Delete section"),
})
_VALUES: Mapping[str, str] = MappingProxyType({
    "arp": later("arp"), "bass": later("bass"), "brass": later("brass"), "choir": later("choir"),
    "dorian": later("dorian"), "drums": later("drums"), "effect": later("effect"), "fx": later("fx"),
    "guitar": later("guitar"), "harmonic_minor": later("harmonic minor"), "hold": later("hold"),
    "humanize": later("humanize"), "instrument": later("instrument"), "keys": later("keys"), "kit": later("kit"),
    "lead": later("lead"), "linear": later("linear"), "locrian": later("locrian"), "lydian": later("lydian"),
    "major": later("major"), "melodic_minor": later("melodic minor"), "minor": later("minor"),
    "mixolydian": later("mixolydian"), "organ": later("organ"), "pad": later("pad"),
    "percussion": later("percussion"), "phrygian": later("phrygian"), "piano": later("piano"),
    "pluck": later("pluck"), "quantize": later("quantize"), "reverse": later("reverse"), "sample": later("sample"),
    "scale_velocity": later("scale velocity"), "stems": later("stems"), "stretch": later("stretch"),
    "strings": later("strings"), "style": later("style"), "thin": later("thin"), "transpose": later("transpose"),
    "woodwind": later("woodwind"),
})


def label_of(name: str) -> str:
    """The name of an input or a tool in words: "Modify clip", "Volume". Names from other servers are only tidied up."""
    if name in _NAMES:
        return tr(_NAMES[name])
    words = name.removesuffix("_db").removesuffix("_id").removesuffix("_name").replace("_", " ").replace("midi", "MIDI")
    return words[:1].upper() + words[1:]


def value_words(value: Json) -> str:
    """One of the few values that an input allows, in words."""
    return tr(_VALUES[value]) if isinstance(value, str) and value in _VALUES else str(value).replace("_", " ")

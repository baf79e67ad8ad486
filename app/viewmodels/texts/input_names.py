"""What a person calls the inputs of tools, their values, and the tools themselves."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from agent.plan.plan import Json
from app.i18n import lazy, tr

_NAMES: Mapping[str, str] = MappingProxyType({
    "accept": lazy("Accept"), "add_notes": lazy("Add notes"), "at_beat": lazy("At beat"),
    "at_time": lazy("At beat"), "attack": lazy("Attack"),
    "beats": lazy("Beats"), "bpm": lazy("Tempo, BPM"), "ceiling": lazy("Ceiling"),
    "centre": lazy("Centre"), "centre_delay": lazy("Centre delay"), "clip_id": lazy("Clip"),
    "chords": lazy("Chords"), "color": lazy("Colour"), "curve": lazy("Curve"), "cutoff": lazy("Cutoff"),
    "damping": lazy("Damping"),
    "depth": lazy("Depth"), "drive": lazy("Drive"), "duration": lazy("Length in beats"),
    "effect_id": lazy("Effect"), "effect_name": lazy("Effect"), "enabled": lazy("On"), "factor": lazy("Factor"),
    "family": lazy("Family"), "feedback": lazy("Feedback"), "folder": lazy("Folder"), "format": lazy("Format"),
    "gain": lazy("Gain"), "grid": lazy("Grid"), "high_freq": lazy("High frequency"), "high_gain": lazy("High gain"),
    "instrument": lazy("Instrument"), "iteration": lazy("Iteration"), "keep": lazy("Keep"), "key": lazy("Key"),
    "kind": lazy("Kind"), "label": lazy("Name"), "level": lazy("Level"), "low_freq": lazy("Low frequency"),
    "low_gain": lazy("Low gain"), "makeup": lazy("Make-up gain"), "mid_freq": lazy("Middle frequency"),
    "mid_gain": lazy("Middle gain"), "mid_q": lazy("Middle width"), "mix": lazy("Mix"), "mode": lazy("Mode"),
    "mute": lazy("Mute"), "name": lazy("Name"), "notes": lazy("Notes"), "operation": lazy("Operation"),
    "pan": lazy("Pan"), "params": lazy("Settings"), "path": lazy("File"), "pattern": lazy("Pattern"),
    "points": lazy("Points"), "position": lazy("Place"), "rate": lazy("Rate"), "ratio": lazy("Ratio"),
    "recursive": lazy("Folders within"), "release": lazy("Release"), "remove_notes": lazy("Remove notes"),
    "replace": lazy("Replace"), "room_size": lazy("Room size"), "section_id": lazy("Section"),
    "seed": lazy("Seed"), "semitones": lazy("Semitones"), "start_time": lazy("Start in beats"),
    "strength": lazy("Strength"), "tag": lazy("Tag"), "tags": lazy("Tags"), "target": lazy("Target"),
    "tempo_from": lazy("Tempo from"), "tempo_to": lazy("Tempo to"), "text": lazy("Text"),
    "threshold": lazy("Threshold"), "time": lazy("Time"), "timing": lazy("Timing"), "to": lazy("To"),
    "to_track_id": lazy("To track"), "tonic": lazy("Tonic"), "tools": lazy("Tools"), "track_id": lazy("Track"),
    "tracks": lazy("Tracks"), "type": lazy("Type"), "unit": lazy("Beat unit"), "use_meter": lazy("Use its meter"),
    "use_tempo": lazy("Use its tempo"), "velocity": lazy("Velocity"), "volume_db": lazy("Volume"),
    "width": lazy("Width"),
    # Tools that a goal may be given.
    "create_track": lazy("Create track"), "update_track": lazy("Update track"),
    "delete_track": lazy("Delete track"), "duplicate_track": lazy("Duplicate track"),
    "create_midi_clip": lazy("Create MIDI clip"), "modify_clip": lazy("Modify clip"),
    "transform_clip": lazy("Transform clip"), "duplicate_clip": lazy("Duplicate clip"),
    "split_clip": lazy("Split clip"), "delete_clip": lazy("Delete clip"), "add_effect": lazy("Add effect"),
    "update_effect": lazy("Update effect"), "remove_effect": lazy("Remove effect"),
    "set_automation": lazy("Set automation"), "set_tempo": lazy("Set tempo"),
    "set_time_signature": lazy("Set time signature"), "set_key": lazy("Set key"),
    "set_chords": lazy("Set chords"),
    "set_sound_font": lazy("Set SoundFont"),
    "set_loudness": lazy("Set loudness"), "rename_song": lazy("Rename song"), "add_section": lazy("Add section"),
    "update_section": lazy("Update section"), "delete_section": lazy("Delete section"),
})
_VALUES: Mapping[str, str] = MappingProxyType({
    "arp": lazy("arp"), "bass": lazy("bass"), "brass": lazy("brass"), "choir": lazy("choir"),
    "dorian": lazy("dorian"), "drums": lazy("drums"), "effect": lazy("effect"), "fx": lazy("fx"),
    "guitar": lazy("guitar"), "harmonic_minor": lazy("harmonic minor"), "hold": lazy("hold"),
    "humanize": lazy("humanize"), "instrument": lazy("instrument"), "keys": lazy("keys"), "kit": lazy("kit"),
    "lead": lazy("lead"), "linear": lazy("linear"), "locrian": lazy("locrian"), "lydian": lazy("lydian"),
    "major": lazy("major"), "melodic_minor": lazy("melodic minor"), "minor": lazy("minor"),
    "mixolydian": lazy("mixolydian"), "organ": lazy("organ"), "pad": lazy("pad"),
    "percussion": lazy("percussion"), "phrygian": lazy("phrygian"), "piano": lazy("piano"),
    "pluck": lazy("pluck"), "quantize": lazy("quantize"), "reverse": lazy("reverse"), "sample": lazy("sample"),
    "scale_velocity": lazy("scale velocity"), "stems": lazy("stems"), "stretch": lazy("stretch"),
    "strings": lazy("strings"), "style": lazy("style"), "thin": lazy("thin"), "transpose": lazy("transpose"),
    "woodwind": lazy("woodwind"),
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

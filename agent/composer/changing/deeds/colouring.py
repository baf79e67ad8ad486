"""Colouring: towards a mood, by loudness, beat, sound and pace; tunes and chords stay."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.deeds.pacing import scaled
from agent.composer.changing.reshape import busier_beat, calmer_beat, weighted
from agent.composer.changing.stage import Stage
from agent.composer.styles import RHYTHMIC, EffectUse, Role
from agent.composer.tones import Tone
from agent.composer.understanding.tasks import Colour
from agent.composer.vocabulary import Mood
from agent.song.clip import Clip
from agent.song.track import Track

_DARK, _DARKER, _DARKEST = 1800.0, 0.55, 300.0
"""Cutoff in Hz of a darker track; what is left of a cutoff that was lower already; and where it stops."""
_BRIGHT = EffectUse("eq", {"high_gain": 4.0, "high_freq": 5000})
_CALM = EffectUse("reverb", {"room_size": 0.75, "mix": 0.3})
_PUNCH = EffectUse("compressor", {"threshold": -20, "ratio": 4})


def colour(stage: Stage, deed: Colour) -> None:
    """Every free track takes on the mood; the whole song also its pace."""
    mood = deed.mood
    if stage.whole and mood.tempo != 1 and not stage.states_tempo:
        scaled(stage, 1 + (mood.tempo - 1) * stage.amount, f"the pace that goes with {mood.name}")
    roles = stage.roles()
    for track in stage.free():
        role = roles[track.id]

        def coloured(tones: list[Tone], clip: Clip, role: Role = role) -> Sequence[Tone]:
            return _coloured(tones, clip, role, mood, stage.amount)

        stage.sketch.each_clip(track, stage.spans, coloured, mood.name, "the same notes, played another way")
        if stage.whole:
            stage.sketch.dress(track.id, _effects(mood, role, track), "")


def _coloured(tones: list[Tone], clip: Clip, role: Role, mood: Mood, amount: float) -> Sequence[Tone]:
    if role in RHYTHMIC and mood.energy <= -0.3:
        tones = calmer_beat(tones, clip.start)
    elif role == "drums" and mood.energy >= 0.3:
        tones = busier_beat(tones, clip.start, clip.end)
    return weighted(tones, mood.energy * amount, mood.brightness * amount)


def _effects(mood: Mood, role: Role, track: Track) -> list[EffectUse]:
    uses = []
    if role in RHYTHMIC:
        return [_PUNCH] if mood.energy >= 0.3 else []
    if mood.brightness <= -0.5:
        uses.append(_darker(track))
    elif mood.brightness >= 0.5:
        uses.append(_BRIGHT)
    if mood.energy <= -0.3 and role != "bass":
        uses.append(_CALM)
    return uses


def _darker(track: Track) -> EffectUse:
    """A lowpass that is lower than the one the track has."""
    present = [float(dict(effect.params).get("cutoff", _DARK)) for effect in track.effects if effect.name == "lowpass"]
    cutoff = min([_DARK, *(min(value, max(_DARKEST, float(round(_DARKER * value)))) for value in present)])
    return EffectUse("lowpass", {"cutoff": cutoff})

"""Taking a song to a style with a beat, to a mood or to another key, while its melody and chords stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.composer.changing.additions import new_track
from agent.composer.changing.listening import Heard
from agent.composer.changing.reshape import busier_beat, calmer_beat, fitted, in_key, weighted
from agent.composer.changing.rewriting import dress, free_tones, rewrite, update_sound
from agent.composer.changing.sounds import effects_for, part_for, sound_for
from agent.composer.dice import Dice
from agent.composer.parts import in_time
from agent.composer.roles import GROUPS
from agent.composer.rows import MASTER, Rows
from agent.composer.styles import RHYTHMIC, EffectUse, Role, Style
from agent.composer.tones import Tone
from agent.composer.understanding.intent import Intent
from agent.composer.writing.frame import Player
from agent.composer.writing.performing import play
from agent.song.clip import Clip
from agent.song.key import Key
from agent.song.palette import Instrument, Palette
from agent.song.track import Track

_DARK, _DARKER, _DARKEST = 1800.0, 0.55, 300.0
"""Cutoff in Hz of a darker track; what is left of a cutoff that was lower already; and where it stops."""
_BRIGHT = EffectUse("eq", {"high_gain": 4.0, "high_freq": 5000})
_CALM = EffectUse("reverb", {"room_size": 0.75, "mix": 0.3})
_PUNCH = EffectUse("compressor", {"threshold": -20, "ratio": 4})
_ESSENTIAL: tuple[Role, ...] = ("drums", "bass")


@dataclass(frozen=True)
class _Change:
    """What is done to every free track."""

    heard: Heard
    style: Style | None
    intent: Intent
    key: Key
    palette: Palette
    rows: Rows


def restyle_song(
    heard: Heard, free: tuple[Track, ...], style: Style | None, intent: Intent, key: Key, palette: Palette,
    rows: Rows, dice: Dice,
) -> Iterator[None]:
    """Rows for every free track, then the essential parts of the style that are missing."""
    change = _Change(heard, style, intent, key, palette, rows)
    used: set[str] = set()
    for track in free:
        role = heard.roles[track.id]
        sound = None
        if style is not None:
            sound = sound_for(track, role, style, intent, palette, rows.guard, used, dice)
        if sound is not None:
            used.add(sound.name)
        _change_track(change, track, role, sound, dice)
        yield
    if style is None:
        return
    playing = set(heard.roles.values())
    for part in style.parts:
        wanted = part.role in _ESSENTIAL and part.role not in playing
        if wanted and not any(w.whole_role and w.role == part.role for w in intent.refused):
            new_track(heard, part, style, intent, key, palette, rows, dice)
            playing.add(part.role)
            yield
    present = {effect.name for effect in heard.song.master_effects}
    for use in style.master:
        if use.effect not in present:
            rows.effect("master", use, owner="the mix", group=MASTER)
    yield


def _change_track(change: _Change, track: Track, role: Role, sound: Instrument | None, dice: Dice) -> None:
    rows, style = change.rows, change.style
    fresh = _replayed(change, role, sound, dice.of(f"track {track.id}"))
    for clip in track.clips:
        tones = free_tones(clip, rows.guard)
        if tones:
            new = _changed(change, role, tones, fresh, clip, sound)
            rewrite(
                track, clip, new, rows, group=GROUPS[role], title=f"{track.name}: {clip.name} {_verb(change, role)}",
                why=_reason(change, role),
            )
    if sound is not None and style is not None:
        update_sound(
            track, {"instrument": sound.name}, rows, group=GROUPS[role],
            why=f"the sound of {style.label.lower()} for this role",
        )
    bpm = change.heard.frame.bpm
    uses = list(in_time(effects_for(role, style), bpm)) if style is not None else []
    names = {use.effect for use in uses}
    uses += [use for use in _mood_effects(change.intent, role, track) if use.effect not in names]
    dress(track, uses, rows, change.palette, group=GROUPS[role])


def _replayed(change: _Change, role: Role, sound: Instrument | None, dice: Dice) -> list[Tone] | None:
    """What the style plays for a role on this song's chords; None where the track's own notes stay."""
    style = change.style
    part = part_for(role, style) if style is not None else None
    if style is None or part is None or sound is None or role in ("lead", "texture"):
        return None
    player = Player(part, sound)
    count = len(change.heard.scenes)
    return [
        tone
        for scene in change.heard.scenes
        for tone in play(player, style, scene, change.heard.frame, dice, fill=scene.index + 1 < count)
    ]


def _changed(
    change: _Change, role: Role, own: Sequence[Tone], fresh: list[Tone] | None, clip: Clip, sound: Instrument | None
) -> list[Tone]:
    tones = list(own)
    if fresh is not None:
        tones = [tone for tone in fresh if clip.start <= tone.start < clip.end]
    intent, heard = change.intent, change.heard
    if role in RHYTHMIC:
        if intent.energy <= -0.3:
            tones = calmer_beat(tones, clip.start)
        elif intent.energy >= 0.3 and role == "drums":
            tones = busier_beat(tones, clip.start, clip.end)
    else:
        tones = tones if change.key == heard.key else in_key(tones, heard.key, change.key)
        if sound is not None:
            tones = fitted(tones, sound.low, sound.high, change.key)
    return weighted(tones, intent.energy, intent.brightness)


def _mood_effects(intent: Intent, role: Role, track: Track) -> list[EffectUse]:
    uses = []
    if role in RHYTHMIC:
        return [_PUNCH] if intent.energy >= 0.3 else []
    if intent.brightness <= -0.5:
        uses.append(_darker(track))
    elif intent.brightness >= 0.5:
        uses.append(_BRIGHT)
    if intent.energy <= -0.3 and role != "bass":
        uses.append(_CALM)
    return uses


def _darker(track: Track) -> EffectUse:
    """A lowpass that is lower than the one the track has."""
    present = [float(dict(effect.params).get("cutoff", _DARK)) for effect in track.effects if effect.name == "lowpass"]
    cutoff = min([_DARK, *(min(value, max(_DARKEST, float(round(_DARKER * value)))) for value in present)])
    return EffectUse("lowpass", {"cutoff": cutoff})


def _verb(change: _Change, role: Role) -> str:
    if change.style is not None and role not in ("lead", "texture"):
        return f"as {change.style.label.lower()}"
    if change.key != change.heard.key and role not in RHYTHMIC:
        return f"in {change.key}"
    return ", ".join(mood.name for mood in change.intent.moods) or "adapted"


def _reason(change: _Change, role: Role) -> str:
    if change.style is not None and role not in ("lead", "texture"):
        return "the same chords in the new feel"
    return "the same notes, played another way"

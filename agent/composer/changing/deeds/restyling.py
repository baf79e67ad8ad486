"""Restyling: a song taken to another style, while its melody and chords stay."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.deeds.adding import new_track
from agent.composer.changing.deeds.dissolving import dissolve
from agent.composer.changing.deeds.pacing import at_tempo
from agent.composer.changing.listening import Heard
from agent.composer.changing.reshape import fitted
from agent.composer.changing.sounds import effects_for, part_for, sound_for
from agent.composer.changing.stage import Stage
from agent.composer.dice import Dice
from agent.composer.parts import in_time
from agent.composer.styles import Role, Style
from agent.composer.tones import Tone
from agent.composer.understanding.tasks import Restyle
from agent.composer.writing.frame import Player
from agent.composer.writing.performing import play
from agent.song.clip import Clip
from agent.song.ids import MASTER
from agent.song.palette import Instrument
from agent.song.track import Track

_ESSENTIAL: tuple[Role, ...] = ("drums", "bass")
_ORDER: tuple[Role, ...] = ("drums", "percussion", "bass", "chords", "arp", "pad")
"""Roles in the order in which they carry a style: half of the way there changes the first half of them."""


def restyle(stage: Stage, deed: Restyle) -> None:
    """Every free track takes on the style's sound and, but for tune and colours, its way of playing."""
    style = stage.styles.style(deed.style)
    if style.dissolves and stage.whole:
        dissolve(stage, style)
        return
    if stage.whole:
        _frame(stage, style)
    heard = stage.heard()
    changing = _ORDER[: max(1, round(len(_ORDER) * min(1.0, stage.amount)))]
    used: set[str] = set()
    for track in stage.free():
        role = heard.roles[track.id]
        _take_on(stage, heard, track, role, style, changing, used)
    playing = set(heard.roles.values())
    for part in style.parts:
        refused = any(wish.whole_role and wish.role == part.role for wish in stage.refused)
        if part.role in _ESSENTIAL and part.role not in playing and not refused:
            new_track(stage, part, style, stage.dice)
            playing.add(part.role)
    if stage.whole:
        present = {effect.name for effect in stage.song.master_effects}
        stage.sketch.dress(MASTER, [use for use in style.master if use.effect not in present])


def _frame(stage: Stage, style: Style) -> None:
    if not stage.states_tempo:
        now = stage.song.tempos[0].bpm
        low, high = style.tempo
        bpm = float(round(now + (max(low, min(high, now)) - now) * min(1.0, stage.amount)))
        at_tempo(stage, bpm, f"the pace of {style.label.lower()}")
    stage.sketch.loudness(style.loudness, f"the usual level of {style.label.lower()}")


def _take_on(
    stage: Stage, heard: Heard, track: Track, role: Role, style: Style, changing: Sequence[Role], used: set[str]
) -> None:
    own = stage.dice.of(f"track {track.id}")
    sound = sound_for(stage, track, role, style, used)
    if not stage.whole:
        known = {instrument.name: instrument for instrument in stage.palette.instruments}
        sound = known.get(track.instrument)
    if sound is not None:
        used.add(sound.name)
    label = style.label.lower()
    if sound is not None and role in changing:
        fresh = _replayed(heard, role, style, sound, own)
        if fresh is not None:
            stage.sketch.each_clip(
                track, stage.spans, lambda _tones, clip: _within(fresh, clip, stage), f"as {label}",
                "the same chords in the new feel",
            )
    if not stage.whole:
        return
    if sound is not None:
        stage.sketch.each_clip(
            stage.song.track(track.id), stage.spans,
            lambda tones, _clip: fitted(tones, sound.low, sound.high, heard.key), "in its range",
            "brought into the range of the new sound",
        )
        stage.sketch.update_track(track.id, f"the sound of {label} for this role", instrument=sound.name)
    stage.sketch.dress(track.id, in_time(effects_for(role, style), heard.frame.bpm))


def _replayed(heard: Heard, role: Role, style: Style, sound: Instrument, dice: Dice) -> list[Tone] | None:
    """What the style plays for a role on this song's chords; None where the track's own notes stay."""
    part = part_for(role, style)
    if part is None or role in ("lead", "texture"):
        return None
    player = Player(part, sound)
    count = len(heard.scenes)
    return [
        tone
        for scene in heard.scenes
        for tone in play(player, style, scene, heard.frame, dice, fill=scene.index + 1 < count)
    ]


def _within(fresh: Sequence[Tone], clip: Clip, stage: Stage) -> list[Tone]:
    return [tone for tone in fresh if clip.start <= tone.start < clip.end and stage.inside(tone.start)]

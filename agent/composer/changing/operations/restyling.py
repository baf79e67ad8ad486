"""Restyling: a song taken to another style or a blend of two, while its melody and chords stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import cast

from msgspec import structs
from msgspec.structs import replace

from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.operations.adding import new_track
from agent.composer.changing.operations.dissolving import dissolve
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.metering import remeter
from agent.composer.changing.operations.pacing import at_tempo
from agent.composer.changing.parts.entrances import stretches_of, with_energies
from agent.composer.changing.parts.lines import by_hand, into_range
from agent.composer.changing.parts.room import beneath, tune_of
from agent.composer.changing.parts.sounds import effects_for, part_for, sound_for
from agent.composer.changing.report.task_asks import asks_style
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.dice import Dice
from agent.composer.parts import in_time
from agent.composer.styles import RHYTHMIC, Role, Style
from agent.composer.tones import SHORTEST, Tone, outside
from agent.composer.understanding.operations import Remeter, Restyle
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.writing.blending import blended
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.kit import on_keys_of, on_own_keys
from agent.composer.writing.meters import in_meter
from agent.composer.writing.performing import play
from agent.message import msg
from agent.song.clip import Clip
from agent.song.ids import MASTER
from agent.song.palette import Instrument
from agent.song.time import PPQ
from agent.song.track import Track
from agent.theory.figures import figure
from agent.theory.gate import MANY_NOTES, VELOCITIES

_ESSENTIAL: tuple[Role, ...] = ("drums", "bass")
_ORDER: tuple[Role, ...] = ("drums", "percussion", "bass", "chords", "arp", "pad")
"""Roles in the order in which they carry a style: half of the way there changes the first half of them."""
_OWN: tuple[Role, ...] = ("lead", "counter", "texture")
"""Roles whose notes are the song's own."""
_HARMONIC: tuple[Role, ...] = ("bass", "chords", "arp", "pad")
_ROOTS = 0.75
"""Share of the chord roots that must stay heard, with a margin over what a changed song promises."""
_NEAR = 40
"""Ticks around an offbeat that still are it."""
_SOUNDS = 0.5
"""The amount from which sounds change too, and not only the rhythm."""


@dataclass
class _Work:
    """What all tracks share: the style in the song's meter, the song as heard, and the sounds that are taken."""

    stage: Stage
    style: Style
    heard: SongAnalysis
    scenes: tuple[Scene, ...]
    frame: Frame
    changing: Sequence[Role]
    own: tuple[Role, ...]
    """Roles that keep their notes although the style would have others for them."""
    used: set[str] = field(default_factory=set)


def restyle(stage: Stage, operation: Restyle) -> None:
    """Give every unlocked track the style's instruments and, except for melody and effects tracks, its way of playing.

    Of two styles drums and bass come from the first, harmony and sounds from the second. With a scope the instruments
    stay. A style without a beat dissolves the song.
    """
    before = stage.song
    stage = _in_its_meter(stage, operation)
    style = _wanted(stage, operation)
    if style.dissolves:
        dissolve(stage, style)
    else:
        _recognisably(stage, style)
    if stage.song is before:
        raise Blocked(msg("it is {style} already", style=style.label.lower()))


def _in_its_meter(stage: Stage, operation: Restyle) -> Stage:
    """The stage after the song was laid into the style's meter, where that is another and nothing forbids it."""
    style, now = stage.styles.style(operation.style), stage.song.meters[0]
    wanted = style.meter
    stated = any(isinstance(task.operation, Remeter) for task in stage.intent.tasks)
    fits = (now.beats, now.unit) in (wanted, *style.meters)
    if not stage.whole or stated or fits or style.dissolves or stage.amount < _SOUNDS:
        return stage
    try:
        remeter(stage, Remeter(*wanted))
    except Blocked:
        # locked bars hold the meter; the style is laid into it instead
        return stage
    _without_empty_clips(stage)
    return replace(stage, spans=((0, int(stage.song.bar_map.start_of(stage.song.bars + 1))),))


def _without_empty_clips(stage: Stage) -> None:
    """Clips without notes go where bars move: a row that moved one would do nothing."""
    free, held = {track.id for track in stage.free()}, stage.sketch.guard.clips
    tracks = tuple(
        structs.replace(track, clips=tuple(clip for clip in track.clips if clip.notes or clip.id in held))
        if track.id in free else track
        for track in stage.song.tracks
    )
    stage.sketch.become(structs.replace(stage.song, tracks=tracks), "", "an empty clip")


def _wanted(stage: Stage, operation: Restyle) -> Style:
    style = stage.styles.style(operation.style)
    if operation.others:
        style = blended(style, stage.styles.style(operation.others[0]))
    meter = stage.song.meters[0]
    return in_meter(style, (meter.beats, meter.unit))


def _recognisably(stage: Stage, style: Style) -> None:
    """Take the style on; where its bass or harmony hides the song's chords, those parts keep their own notes."""
    before = stage.song
    for own in ((), ("bass",), _HARMONIC):
        saved = stage.sketch.saved()
        _take_style(stage, style, own)
        kept = figure("root_agreement", before, stage.song, stage.palette)
        if own == _HARMONIC or float(kept or 0.0) >= _ROOTS:
            return
        stage.sketch.go_back(saved)


def _take_style(stage: Stage, style: Style, own: tuple[Role, ...]) -> None:
    if stage.whole:
        _frame(stage, style)
    work = _work(stage, style, own)
    for track in stage.free():
        _take_on(work, track, work.heard.roles[track.id])
    if stage.amount >= _SOUNDS or not any(role in RHYTHMIC for role in work.heard.roles.values()):
        _complete(work)
    if stage.whole and stage.amount >= _SOUNDS:
        present = {effect.name for effect in stage.song.master_effects}
        stage.sketch.dress(MASTER, [use for use in style.master if use.effect not in present])


def _work(stage: Stage, style: Style, own: tuple[Role, ...]) -> _Work:
    heard = stage.heard()
    scenes = with_energies(heard, stretches_of(stage.song, stage.palette))
    changing = _ORDER[: max(1, round(len(_ORDER) * min(1.0, stage.amount)))]
    frame = heard.frame
    if stage.whole and stage.amount >= _SOUNDS:
        frame = replace(frame, swing=style.swing, swing_ticks=round(style.swing_beats * PPQ))
    return _Work(stage, style, heard, scenes, frame, changing, own)


def _frame(stage: Stage, style: Style) -> None:
    share = min(1.0, stage.amount)
    label = style.label.lower()
    if not stage.states_tempo:
        now = stage.song.bpm
        low, high = style.tempo
        at_tempo(stage, float(round(now + (max(low, min(high, now)) - now) * share)), f"the pace of {label}")
    now = stage.song.loudness_target
    stage.sketch.loudness(round(now + (style.loudness - now) * share, 1), f"the usual level of {label}")


def _take_on(work: _Work, track: Track, role: Role) -> None:
    stage, style = work.stage, work.style
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    own = stage.dice.of(f"track {track.id}")
    sounds = stage.whole and (role in work.changing if stage.amount < 1 else True) and stage.amount >= _SOUNDS
    sound = sound_for(stage, track, role, style, work.used) if sounds else None
    player = sound or known.get(track.instrument)
    if player is not None:
        work.used.add(player.name)
    label = style.label.lower()
    fresh: list[Tone] | None = None
    if player is not None and role in work.changing and role not in work.own:
        fresh = _replayed(work, role, player, own)
        if fresh:
            stage.sketch.each_clip(
                track, stage.spans, lambda tones, clip: _within(fresh, tones, clip, stage), f"as {label}",
                "the same chords in the new feel",
            )
    if role in (*_OWN, *work.own) and work.frame != work.heard.frame:
        stage.sketch.each_clip(
            track, stage.spans, lambda tones, clip: _in_feel(tones, work, int(clip.end)),
            "swung" if style.swing else "straight", f"the same tune in the feel of {label}",
        )
    if stage.whole and role not in RHYTHMIC:
        _by_hand(stage, stage.song.track(track.id))
    if sound is not None:
        _move_into(work, track, known.get(track.instrument), sound, replayed=bool(fresh))
        stage.sketch.update_track(track.id, f"the sound of {label} for this role", instrument=sound.name)
    if sounds:
        stage.sketch.dress(track.id, in_time(effects_for(role, style), work.heard.frame.bpm))


def _by_hand(stage: Stage, track: Track) -> None:
    """What a score left even is played, as a band plays beside it now."""
    velocities = [note.velocity for clip in track.clips for note in clip.notes]
    if len(velocities) >= MANY_NOTES and len(set(velocities)) < VELOCITIES:
        stage.sketch.each_clip(
            track, stage.spans, lambda tones, _clip: by_hand(tones), "as played", "a score is even, a player is not"
        )


def _move_into(work: _Work, track: Track, was: Instrument | None, sound: Instrument, *, replayed: bool) -> None:
    """The whole line in the new sound's range, by octaves; the strokes of another kit on the keys of the same drums."""
    sketch = work.stage.sketch
    clips = [(clip, sketch.tones(clip)) for clip in work.stage.song.track(track.id).clips]
    if sound.is_kit:
        for clip, tones in clips if not replayed else ():
            own = on_keys_of(tones, was, sound, lambda _: work.heard.key.pitch_class)
            sketch.rewrite(clip.id, own, "on its drums", "each stroke on the drum that plays it there")
        return
    every = [tone for _, tones in clips for tone in tones]
    moved = iter(into_range(every, sound.low, sound.high, work.heard.key))
    for clip, tones in clips:
        new = [next(moved) for _ in tones]
        sketch.rewrite(clip.id, new, "in its range", "brought into the range of the new sound")


def _complete(work: _Work) -> None:
    """Drums and bass for a song that has none, where the style lives from them."""
    stage = work.stage
    playing = set(work.heard.roles.values())
    for part in work.style.parts:
        refused = any(wish.whole_role and wish.role == part.role for wish in stage.refused)
        if part.role in _ESSENTIAL and part.role not in playing and not refused and not part.builds:
            new_track(stage, part, work.style, stage.dice)
            playing.add(part.role)


def _replayed(work: _Work, role: Role, sound: Instrument, dice: Dice) -> list[Tone] | None:
    """What the style plays for a role on this song's chords; None where the track's own notes stay."""
    part = part_for(role, work.style)
    if part is None or role in _OWN or (part.role in RHYTHMIC) != (role in RHYTHMIC):
        return None
    player = Player(beneath(part, sound, tune_of(work.heard)), sound)
    count = len(work.scenes)
    tones = [
        tone
        for scene in work.scenes
        for tone in play(player, work.style, scene, work.frame, dice, fill=scene.index + 1 < count)
    ]
    return on_own_keys(tones, sound, lambda _: work.heard.key.pitch_class) if sound.is_kit else tones


def _within(fresh: Sequence[Tone], tones: Sequence[Tone], clip: Clip, stage: Stage) -> list[Tone]:
    """What is new in those bars of a clip in which it played, so that its rests stay."""
    bars = stage.song.bar_map
    playing = {bar for tone in tones for bar in range(bars.bar_at(tone.start), bars.bar_at(tone.end - 1) + 1)}
    inside = [tone for tone in fresh if clip.start <= tone.start <= clip.end - SHORTEST and stage.inside(tone.start)]
    heard = [tone for tone in inside if bars.bar_at(tone.start) in playing]
    # a part that would fall silent keeps what it has
    return heard if outside(heard, stage.sketch.guard.spans) else list(tones)


def _in_feel(tones: Sequence[Tone], work: _Work, end: int) -> list[Tone]:
    """The song's own notes with their offbeats where the new feel has them."""
    old, new = work.heard.frame, work.frame
    late, later = round(old.swing * old.swing_ticks), round(new.swing * new.swing_ticks)
    result = []
    for tone in tones:
        start = tone.start
        if late and abs(start % (2 * old.swing_ticks) - old.swing_ticks - late) <= _NEAR:
            start -= late
        if later and abs(start % (2 * new.swing_ticks) - new.swing_ticks) <= _NEAR:
            start += later
        start = min(start, max(tone.start, end - SHORTEST))
        length = max(SHORTEST, tone.length - max(0, start - tone.start))
        result.append(structs.replace(tone, start=start, length=length))
    return result


def _read(filled: Filled) -> tuple[Operation, ...]:
    """Into a style, or a blend; one whose name is a meter gives that, and its music only where it stands alone."""
    styles: list[str] = []
    for chain in filled.found.all("style"):
        styles += cast("tuple[str, ...]", chain)
    distinct = list(dict.fromkeys(styles))
    operations: list[Operation] = []
    for name in list(distinct):
        meter = filled.lexicon.meter_of(name)
        if meter is None:
            continue
        operations.append(Remeter(*meter))
        if len(distinct) > 1:
            # "a jazz waltz" is jazz in three
            distinct.remove(name)
    return (*operations, Restyle(distinct[0], tuple(distinct[1:])))


KINDS = (
    OperationKind(
        Restyle, 3, restyle, MappingProxyType({"restyle": SlotReading(_read, frozenset({"style"}))}), asks_style,
        removes=lambda _: True, thins=lambda _: False,
    ),
)

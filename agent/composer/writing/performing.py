"""Performing: every player plays its scenes, and what it plays becomes the passages of a track."""

from __future__ import annotations

from itertools import groupby

from agent.composer.dice import Dice
from agent.composer.parts import NewTrack, Passage, in_time
from agent.composer.roles import GROUPS
from agent.composer.styles import RHYTHMIC, Groove, Style
from agent.composer.tones import Tone, tidy
from agent.composer.writing.backing import arpeggio, closing_chord, colours, comped, held
from agent.composer.writing.bass import bass_line
from agent.composer.writing.drums import beat, groove_of, last_hit
from agent.composer.writing.feel import laid_back, played
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.melody import last_note, sung

SOFT_BEAT = Groove(0.0, {"kick": "x.........o.....", "rim": "........o.......", "hat": "g...o...g...o.g."})
"""What drums play in a style without a groove of its own."""


def perform(player: Player, style: Style, scenes: tuple[Scene, ...], frame: Frame, dice: Dice) -> NewTrack:
    """The player's track: one passage for each stretch of scenes it plays without a pause, and the last bar."""
    own = dice.of(player.style.name)
    passages: list[Passage] = []
    for plays, members in groupby(scenes, key=lambda scene: player.style.name in scene.parts):
        if plays:
            passages += _stretch(player, style, list(members), scenes, frame, own)
    last = scenes[-1]
    if player.style.name not in last.parts:
        start = max(last.start, last.end - frame.bar)
        tones = tidy(_ending(player, last, start, last.end, frame, None), start, last.end)
        passages.append(Passage("Last chord", start, last.end, tones, "everyone ends together"))
    part = player.style
    return NewTrack(
        part.name, player.instrument.name, part.volume_db, part.pan, part.color, tuple(passages),
        in_time(part.effects, frame.bpm), GROUPS[part.role], part.why,
    )


def play(player: Player, style: Style, scene: Scene, frame: Frame, dice: Dice, *, fill: bool) -> list[Tone]:
    """One scene as the player plays it."""
    part = player.style
    own = dice.of(f"scene {scene.index}")
    match part.role:
        case "drums":
            groove = groove_of(style.grooves or (SOFT_BEAT,), scene, frame)
            tones = beat(player, scene, groove, style.fills, own, fill=fill)
        case "percussion":
            groove = groove_of(style.percussion or (SOFT_BEAT,), scene, frame)
            tones = beat(player, scene, groove, (), own, fill=False)
        case "bass":
            tones = bass_line(player, scene, frame, _kick(style, scene, frame), own)
        case "pad":
            tones = held(player, scene)
        case "chords":
            tones = comped(player, scene, own)
        case "arp":
            tones = arpeggio(player, scene, own)
        case "lead":
            tones = sung(player, scene, frame, dice)
        case "texture":
            tones = colours(player, scene, frame, own)
    return laid_back(played(tones, player, scene, frame, dice.of("feel")), player, scene, frame)


def _kick(style: Style, scene: Scene, frame: Frame) -> str:
    """The kick line that sounds in the scene; empty where no drums play."""
    drums = style.part_for("drums")
    if drums is None or drums.name not in scene.parts or not style.grooves:
        return ""
    return groove_of(style.grooves, scene, frame).lines.get("kick", "")


def _stretch(
    player: Player, style: Style, run: list[Scene], scenes: tuple[Scene, ...], frame: Frame, dice: Dice
) -> list[Passage]:
    tones: list[Tone] = []
    for scene in run:
        fill = scene.index + 1 < len(scenes)
        tones += tidy(play(player, style, scene, frame, dice, fill=fill), scene.start, scene.end)
    start, end = run[0].start, run[-1].end
    if run[-1].closing:
        last = max(start, end - frame.bar)
        before = tidy(tones, start, last)
        tones = [*before, *_ending(player, run[-1], last, end, frame, before[-1] if before else None)]
    clean = tidy(tones, start, end)
    if not clean:
        return []
    names = list(dict.fromkeys(scene.name for scene in run))
    name = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return [Passage(name, start, end, clean, f"plays {', '.join(names)}")]


def _ending(player: Player, scene: Scene, start: int, end: int, frame: Frame, before: Tone | None) -> list[Tone]:
    """What the player ends on, after the tone `before`."""
    role = player.style.role
    if role in RHYTHMIC:
        return last_hit(player, start, kit=role == "drums")
    span = scene.chords[-1]
    if role == "bass":
        from_low = [pitch for pitch in range(player.low, player.high + 1) if pitch % 12 == span.chord.lowest]
        pitch = from_low[0] if from_low else player.low
        return [Tone(start, pitch, end - start, int(player.velocity(0.4)))]
    if role == "lead" and before is not None:
        return [last_note(player, span, start, end, before)]
    return closing_chord(player, span, start, end, frame)

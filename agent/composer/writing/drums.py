"""Drums and percussion: grooves by energy, fills before a new section, a crash where it begins."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.styles import Drum, Groove, Lines
from agent.composer.tones import STEP, Tone
from agent.composer.writing.feel import accent
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.kit import PITCHES
from agent.composer.writing.meters import fill_steps
from agent.composer.writing.steps import bars_of, hits, marks

_STILL = 0.2
"""Energy up to which a section fades into the next without a fill."""
_SPLASHY, _RETURNING = 0.55, 0.85
"""Energies from which a section begins with a crash, and from which one that returns has more of them."""


_BACKBEAT: tuple[Drum, ...] = ("clap", "snare", "rim", "tambourine")
"""Drums that mark every second beat."""
_LOW = frozenset(PITCHES[drum] for drum in ("kick", "tom_low", "surdo_open", "conga_low", "bongo_low"))


def beat(
    player: Player, scene: Scene, groove: Groove, fills: Sequence[Lines], frame: Frame, dice: Dice, *, fill: bool,
    impact: bool = True,
) -> list[Tone]:
    """The drums of a scene in this groove. With `fill` the end of its last bar has one of the `fills`, unless the scene
    is very calm or the groove leads on by itself; `impact` allows a crash at its start."""
    tones = [
        Tone(at, PITCHES[drum], STEP // 2, _velocity(player, scene, mark))
        for drum, text in groove.lines.items()
        for at, _, mark in hits(_laid(text, drum, groove, scene, dice), scene.start, scene.end, scene.bar)
    ]
    # a named groove of several bars leads to what follows by itself
    leads = bool(groove.name) and any(bars_of(text, scene.bar) > 1 for text in groove.lines.values())
    if fill and fills and not leads and scene.energy > _STILL and scene.bars > 1:
        tones = _with_fill(tones, player, scene, dice.pick(fills), frame)
    enters = impact and scene.index and not scene.first and scene.energy >= _SPLASHY
    if enters and any(line in groove.lines for line in ("kick", "snare")):
        tones += [
            Tone(at, PITCHES["crash"], STEP * 4, int(player.velocity(scene.energy) * level))
            for at, level in _crashes(scene)
        ]
    return tones


def _crashes(scene: Scene) -> list[tuple[int, float]]:
    """Where a strong section has crashes and how loud: its start, each eight bars, and each four when it returns."""
    every = 4 if scene.again and scene.energy >= _RETURNING else 8
    return [(scene.start + bar * scene.bar, 0.78 if bar else 0.9) for bar in range(0, scene.bars - 1, every)]


def pieces_of(groove: Groove, pieces: Sequence[Drum], frame: Frame) -> Groove:
    """The groove limited to the drums `pieces`; if it uses none of them, the first one marks the beats."""
    lines: Lines = {drum: line for drum, line in groove.lines.items() if drum in pieces}
    if lines:
        return structs.replace(groove, lines=lines)
    steps = ["."] * sum(frame.beats)
    for number, at in enumerate(frame.beat_ticks):
        if pieces[0] not in _BACKBEAT or number % 2 or len(frame.beat_ticks) == 1:
            steps[at // STEP] = "x"
    return structs.replace(groove, lines={pieces[0]: "".join(steps)})


def on_one_drum(tones: Sequence[Tone], player: Player) -> list[Tone]:
    """A kit's tones played on a single tuned drum, such as a taiko: low drums low, all others a fourth higher."""
    low = max(player.instrument.low, min(player.instrument.high - 5, 48))
    return [structs.replace(tone, pitch=low if tone.pitch in _LOW else low + 5) for tone in tones]


def last_hit(player: Player, start: int, *, kit: bool) -> list[Tone]:
    """The tones on the piece's last downbeat at tick `start`: kick and crash of a `kit`, otherwise a triangle."""
    velocity = player.style.velocity[0]
    drums: tuple[Drum, ...] = ("kick", "crash") if kit else ("triangle",)
    return [Tone(start, PITCHES[drum], STEP * 4, velocity) for drum in drums]


def groove_of(grooves: Sequence[Groove], scene: Scene, frame: Frame) -> Groove:
    """The groove for a scene: the one that it names, otherwise the one of the highest energy that does not exceed the
    scene's."""
    named = next((groove for groove in grooves if groove.name and groove.name == scene.groove), None)
    if named is not None:
        return named
    grooves = [groove for groove in grooves if not groove.name]
    weak = [groove for groove in grooves if groove.energy <= scene.energy]
    fitting = weak or [min(grooves, key=lambda g: g.energy)]
    strongest = max(groove.energy for groove in fitting)
    equal = [groove for groove in fitting if groove.energy == strongest]
    return equal[frame.groove % len(equal)]


def _laid(text: str, drum: Drum, groove: Groove, scene: Scene, dice: Dice) -> str:
    """A line as the scene plays it: varied, or, of a named groove, turned so that it ends with the scene."""
    if not groove.name:
        return _varied(text, drum, scene, dice)
    line = marks(text)
    rows = bars_of(line, scene.bar)
    begin = -scene.bars % rows * (len(line) // rows)
    return line[begin:] + line[:begin]


def _varied(text: str, drum: Drum, scene: Scene, dice: Dice) -> str:
    """The line over four bars, with one ghost note more or one soft hit less in the fourth."""
    bars = marks(text)
    varies = drum in ("kick", "snare", "hat", "conga_low", "bongo_low") and scene.bars >= 4 and len(bars) > 3
    if not varies or bars_of(bars, scene.bar) != 1:
        return text
    place = dice.whole(1, len(bars) // 2 - 1) * 2 - (1 if drum == "snare" else 0)
    changed = "g" if bars[place] == "." else "." if bars[place] in "og" else bars[place]
    return bars * 3 + bars[:place] + changed + bars[place + 1 :]


def _with_fill(tones: list[Tone], player: Player, scene: Scene, lines: Lines, frame: Frame) -> list[Tone]:
    begin = scene.end - min(scene.bar, STEP * fill_steps(frame.beats))
    kept = [t for t in tones if t.start < begin or t.pitch in (PITCHES["hat"], PITCHES["ride"], PITCHES["shaker"])]
    kept = [t for t in kept if t.start < begin or not lines.get("hat")]
    for drum, text in lines.items():
        for at, _, mark in hits(text, begin, scene.end, scene.end - begin):
            rise = 0.8 + 0.25 * (at - begin) / (scene.end - begin)
            kept.append(Tone(at, PITCHES[drum], STEP // 2, int(_velocity(player, scene, mark) * rise)))
    return kept


def _velocity(player: Player, scene: Scene, mark: str) -> int:
    return max(1, int(player.velocity(scene.energy) * accent(mark)))

"""Parameters of master effects that are turned while something plays: what sounds goes on, and nothing clicks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from pulling import pulled

from agent.song.ids import EffectId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Effect
from app.sound.effect_recipes import RECIPES
from app.sound.effects import BLOCK, GLIDE, EffectChain
from app.sound.fluid import Planar
from tests.app.sound.songs import clip, effect, rms, song, track

TURNED_AT = 40 * BLOCK
KNOBS = [
    (name, knob) for name, recipe in RECIPES.items() for knob in recipe.knobs
    if knob not in recipe.leaps and (name, knob) != ("highpass", "cutoff")
]
"""A delay that becomes another is a jump; a high-pass that opens is as loud as all that it held back."""


def one(name: str, **values: float) -> tuple[Effect, ...]:
    return (Effect(EffectId("e"), name, tuple(values.items())),)


def hum() -> Planar:
    sine = (0.3 * np.sin(2 * np.pi * 220 * np.arange(80 * BLOCK) / 48_000)).astype(np.float32)
    return np.stack([sine, sine])


def turned(palette: Palette, sound: Planar, before: tuple[Effect, ...], after: tuple[Effect, ...], how: str) -> Planar:
    """The sound behind a chain that is turned, or that another takes the place of."""
    chain = EffectChain(before, palette)
    heard = []
    for start in range(0, sound.shape[1], BLOCK):
        if start == TURNED_AT and how == "turned":
            assert chain.turn_to(after)
        elif start == TURNED_AT:
            chain = EffectChain(after, palette)
        heard.append(chain.process(sound[:, start : start + BLOCK]))
    return np.concatenate(heard, axis=1)


def roughness(sound: Planar) -> float:
    """How much sharper the sharpest bend is around the turn than elsewhere."""
    bends = np.abs(np.diff(sound[0], 2))
    around = bends[TURNED_AT - 4 : TURNED_AT + GLIDE + BLOCK].max()
    return float(around / max(bends[TURNED_AT - 8000 : TURNED_AT - 4].max(), bends[-8000:].max()))


@pytest.mark.parametrize(("name", "knob"), KNOBS)
def test_a_turn_clicks_far_less_than_another_chain(palette: Palette, name: str, knob: str) -> None:
    parameter = next(one for one in palette.effect(name).params if one.name == knob)
    values = [parameter.low + share * (parameter.high - parameter.low) for share in (0.4, 0.6)]
    before, after = (one(name, **{knob: value}) for value in values)
    smooth = roughness(turned(palette, hum(), before, after, "turned"))
    rough = roughness(turned(palette, hum(), before, after, "anew"))
    assert smooth < 3 or smooth < rough / 3


def test_a_turned_chain_comes_to_where_another_would_be(palette: Palette) -> None:
    before, after = one("gain", gain=-12.0), one("gain", gain=-3.0)
    heard = turned(palette, hum(), before, after, "turned")
    wanted = turned(palette, hum(), after, after, "turned")
    assert np.allclose(heard[:, TURNED_AT + 4 * BLOCK :], wanted[:, TURNED_AT + 4 * BLOCK :], atol=1e-5)
    assert not np.allclose(heard[:, :TURNED_AT], wanted[:, :TURNED_AT], atol=1e-3)


def test_other_effects_and_unknown_parameters_are_no_turn(palette: Palette) -> None:
    chain = EffectChain(one("reverb", mix=0.4), palette)
    assert not chain.turn_to(one("gain"))
    assert not chain.turn_to(())
    assert not chain.turn_to(one("reverb", nonsense=1.0))
    assert chain.turn_to(one("reverb", room_size=0.9))


def test_the_tail_of_a_master_reverb_goes_on_while_it_is_turned(tmp_path: Path, palette: Palette) -> None:
    def hall(**values: float) -> Song:
        reverb = effect("reverb", **({"mix": 0.9, "room_size": 0.8} | values))
        return song(track("organ_drawbar", clip((60, 0.0, 1.0, 100), length=8)), master_effects=(reverb,))

    with pulled(tmp_path, palette) as desk:
        desk.ready(hall())
        desk.desk.play(Ticks(0))
        desk.output.pull(48 * BLOCK)
        before = desk.output.pull(4 * BLOCK)
        desk.desk.show("song", hall(damping=0.9, width=0.3))
        after = desk.output.pull(4 * BLOCK)
        assert rms(before) > -60, "a tail sounds"
        assert rms(after) > rms(before) - 6
        whole = np.concatenate([before, after]).T
        bends = np.abs(np.diff(whole[0], 2))
        assert bends[4 * BLOCK - 4 : 4 * BLOCK + 400].max() < 2 * bends[: 4 * BLOCK - 4].max()


def test_another_master_effect_has_heard_what_stands_before_the_playhead(tmp_path: Path, palette: Palette) -> None:
    dry = song(track("organ_drawbar", clip((60, 0.0, 1.9, 100), length=8)))
    wet = replace(dry, master_effects=(effect("reverb", mix=1.0, room_size=0.9),))
    with pulled(tmp_path, palette) as desk:
        desk.ready(dry)
        desk.desk.play(Ticks(0))
        desk.output.pull(56 * BLOCK)
        assert rms(desk.output.pull(BLOCK)) < -80, "nothing sounds any more"
        desk.desk.show("song", wet)
        desk.output.pull(BLOCK)
        assert rms(desk.output.pull(4 * BLOCK)) > -60

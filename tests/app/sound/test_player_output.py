"""Outputs: a silent one that keeps time, and a device that is missing or goes away."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pulling import BLOCK, PulledOutput, eventually, own_threads

from agent.song.palette import Palette
from agent.song.time import Ticks
from app.sound.output import SilentOutput, open_output
from app.sound.player import MixPlayer, PlayerTarget
from app.sound.project_player import ProjectPlayer
from app.sound.render_cache import RenderCache
from tests.app.sound.songs import clip, song, track


@pytest.fixture
def render_cache(tmp_path: Path, palette: Palette) -> Iterator[RenderCache]:
    made = RenderCache(tmp_path, palette)
    yield made
    made.close()


def lose(_: str) -> None:
    """Nobody listens."""


def test_the_silent_output_takes_blocks_until_it_is_closed() -> None:
    others = own_threads()
    taken: list[int] = []
    output = SilentOutput(lambda out: taken.append(len(out)), "because")
    eventually(lambda: len(taken) > 3)
    output.close()
    count = len(taken)
    assert set(taken) == {BLOCK}
    assert (output.silent, output.note) == (True, "because")
    assert own_threads() <= others
    assert len(taken) == count


def test_without_portaudio_it_is_silent_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    output = open_output(lambda out: out.fill(0), lose)
    output.close()
    assert output.silent
    assert output.note.startswith("No sound device: playing silently")


def test_a_device_that_refuses_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = types.ModuleType("sounddevice")

    def refuse(**_: object) -> None:
        raise ValueError("no output at 48000 Hz")

    broken.query_devices = refuse  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sounddevice", broken)
    output = open_output(lambda out: out.fill(0), lose)
    output.close()
    assert "48000" in output.note


def test_a_device_that_goes_away_is_replaced_while_it_plays(render_cache: RenderCache) -> None:
    device, told, others = PulledOutput(), [], own_threads()
    desk = ProjectPlayer(render_cache, device.open, lambda: told.append(1), lambda _: None)
    desk.show("song", song(track("organ_drawbar", clip((60, 0, 64, 90), length=64))))
    desk.play(Ticks(0))
    device.pull(BLOCK)
    assert desk.status.device == "test output"
    device.lose("unplugged")
    eventually(lambda: desk.status.silent)
    at = desk.position
    eventually(lambda: desk.position > at)
    assert desk.status.playing
    assert "unplugged" in desk.status.note
    assert device.closed == 1
    desk.stop()
    desk.play(Ticks(0))
    assert not desk.status.silent
    desk.close()
    assert own_threads() <= others


def test_a_device_that_takes_nothing_is_replaced(render_cache: RenderCache) -> None:
    device = PulledOutput()
    device.patience = 0.5
    desk = ProjectPlayer(render_cache, device.open, lambda: None, lambda _: None)
    desk.play(Ticks(0))
    eventually(lambda: desk.status.silent)
    assert "takes no more sound" in desk.status.note
    desk.close()


def test_a_fault_in_a_block_is_silence_and_told() -> None:
    told: list[int] = []
    player = MixPlayer(lambda: told.append(1))
    player.want(PlayerTarget(deck=object(), playing=True, jump=1))  # type: ignore[arg-type]
    out = np.ones((BLOCK, 2), np.float32)
    player.fill(out)
    assert not out.any()
    assert player.fault is not None
    assert (player.playing, told) == (False, [1])
    player.want(PlayerTarget(jump=1))
    player.jump(0, playing=True)
    player.fill(out)
    assert player.playing


def test_closing_while_it_prepares_leaves_no_thread(render_cache: RenderCache) -> None:
    others = own_threads()
    tracks = [
        track("piano_grand", *(clip((60, 0, 4, 90 - n), start=4 * n, name=f"c{n}") for n in range(16)), name=f"t{row}")
        for row in range(4)
    ]
    desk = ProjectPlayer(render_cache, PulledOutput().open, lambda: None, lambda _: None)
    desk.show("song", song(*tracks))
    desk.play(Ticks(0))
    desk.close()
    desk.close()
    assert own_threads() <= others

"""The renderer repeats its bytes, uses its cache, and ends clearly when something breaks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest

from agent.errors import Blame
from agent.song.clip import Clip
from agent.song.palette import Palette
from agent.song.song import Song
from app.sound.dry_cache import DryCache
from app.sound.errors import RenderCancelledError, SoundError, SoundInputError
from app.sound.renderer import Renderer
from app.sound.soundfont import SoundFont
from tests.app.sound.songs import clip, effect, lane, song, track

ROOT = Path(__file__).parents[3]


def music(clips: int = 3) -> Song:
    melody = [clip((60 + i, 0, 2, 90), start=4 * i, name=f"c{i}") for i in range(clips)]
    return song(
        track("piano_grand", *melody, effects=(effect("chorus"),), automation=(lane("pedal", (0, 127), hold=True),)),
        track("kit_standard", clip((36, 0, 1, 100), (42, 1, 1, 90), name="d1"), name="t2"),
    )


def test_two_renderers_give_the_same_bytes(
    renderer: Renderer, tmp_path: Path, soundfont: SoundFont, palette: Palette
) -> None:
    first = renderer.render(music(6))
    with Renderer(tmp_path, soundfont, palette, workers=2) as other:
        again, cached = other.render(music(6)), other.render(music(6))
    assert first.mix.tobytes() == again.mix.tobytes() == cached.mix.tobytes()


@pytest.mark.parametrize("far", [
    clip((60, 0, 1, 90), start=50_000), clip((60, 0, 1, 90), (62, 49_000, 1, 90), length=50_000),
], ids=["a clip far behind", "a clip of hours"])
def test_a_song_of_many_hours_is_refused_before_it_takes_the_memory(fresh: Renderer, far: Clip) -> None:
    with pytest.raises(SoundInputError, match="too long") as caught:
        fresh.render(song(track("piano_grand", far)))
    assert "at most 30" in caught.value.why


def test_a_clip_of_many_hours_is_not_played_either(fresh: Renderer) -> None:
    long = song(track("piano_grand", clip((60, 0, 1, 90), (62, 49_000, 1, 90), length=50_000, name="drawn out")))
    with pytest.raises(SoundInputError, match="drawn out"):
        fresh.place(long)


def test_a_warm_cache_needs_no_worker(tmp_path: Path, soundfont: SoundFont, palette: Palette) -> None:
    with Renderer(tmp_path, soundfont, palette, workers=1) as first:
        expected = first.render(music()).mix
    before = set(active_children())
    with Renderer(tmp_path, soundfont, palette, workers=1) as second:
        assert np.array_equal(second.render(music()).mix, expected)
        assert set(active_children()) <= before


def test_only_the_edited_clip_is_rendered_again(fresh: Renderer, tmp_path: Path) -> None:
    fresh.render(music())
    known = set(tmp_path.rglob("*.dry"))
    base = music()
    changed = clip((72, 0, 2, 90), start=8, name="c2")
    edited = track("piano_grand", *base.tracks[0].clips[:2], changed, automation=base.tracks[0].automation)
    fresh.render(song(edited, base.tracks[1]))
    assert len(set(tmp_path.rglob("*.dry")) - known) == 1


def test_moving_a_clip_or_a_fader_renders_nothing(fresh: Renderer, tmp_path: Path) -> None:
    # Every second of these starts lies half way between two moments of the synthesizer.
    melody = [(48 + i, i * 32 / 960, 1.0, 90) for i in range(32)]
    fresh.render(song(track("pad_warm", clip(*melody))))
    known = set(tmp_path.rglob("*.dry"))
    moved = clip(*melody, start=17.37)
    fresh.render(song(track("pad_warm", moved, volume_db=-7, pan=0.4, effects=(effect("reverb"),))))
    assert set(tmp_path.rglob("*.dry")) == known


@pytest.mark.parametrize("damage", [b"", b"BLDRY", None])
def test_damaged_cache_entries_are_rendered_again(fresh: Renderer, tmp_path: Path, damage: bytes | None) -> None:
    expected = fresh.render(music()).mix
    for entry in tmp_path.rglob("*.dry"):
        whole = entry.read_bytes()
        flipped = whole[:200] + bytes([whole[200] ^ 255]) + whole[201:]
        entry.write_bytes(flipped if damage is None else damage)
    assert np.array_equal(fresh.render(music()).mix, expected)
    with Renderer(tmp_path / "fresh", fresh._soundfont, fresh._palette, workers=1) as again:
        before = set(active_children())
        again.render(music())
        assert set(active_children()) <= before


def test_the_cache_forgets_the_least_recently_used_first(tmp_path: Path) -> None:
    sound = np.random.default_rng(1).uniform(-1, 1, (2, 1000)).astype(np.float32)
    cache = DryCache(tmp_path, budget=9000)
    for age, key in enumerate(("aa", "bb", "cc")):
        cache.write(key, sound)
        os.utime(tmp_path / key[:2] / f"{key}.dry", (1000 + age, 1000 + age))
    assert cache.read("aa") is not None
    cache.trim()
    assert [cache.has(key) for key in ("aa", "bb", "cc")] == [True, False, True]


def test_the_cache_keeps_sound_within_16_bits(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    for sound in (rng.uniform(-3, 3, (2, 20_000)), np.tile(rng.uniform(-0.01, 0.01, 500), (2, 1)), np.zeros((2, 0))):
        cache = DryCache(tmp_path)
        cache.write("ab", sound.astype(np.float32))
        part = cache.read("ab")
        assert part is not None
        back = np.zeros((2, sound.shape[1]), np.float32)
        part.add_to(back, 0)
        peak = float(np.abs(sound).max()) if sound.size else 0.0
        assert np.allclose(back, sound, atol=peak / 32000)


def test_progress_rises_to_one(fresh: Renderer) -> None:
    shares: list[float] = []
    fresh.render(music(), progress=lambda share, _: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_render_can_be_cancelled_and_started_again(fresh: Renderer) -> None:
    seen: list[float] = []
    with pytest.raises(RenderCancelledError) as caught:
        fresh.render(music(8), progress=lambda share, _: seen.append(share), cancelled=lambda: len(seen) > 1)
    assert caught.value.blame is Blame.CANCELLED
    assert len(seen) < 9
    assert len(fresh.render(music(8)).mix) > 0


def test_a_dead_worker_is_one_clear_error(fresh: Renderer) -> None:
    others = {process.pid for process in active_children()}

    def kill(share: float, _: str) -> None:
        for process in active_children():
            if share > 0 and process.pid not in others and process.pid is not None:
                os.kill(process.pid, signal.SIGKILL)

    with pytest.raises(SoundError, match="ended unexpectedly"):
        fresh.render(music(8), progress=kill)
    assert len(fresh.render(music(8)).mix) > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_of_the_terminal_reaches_no_worker_not_even_at_its_birth(
    fresh: Renderer, number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    others = set(active_children())
    fresh.warm()
    workers = set(active_children()) - others
    for process in workers:
        assert process.pid is not None
        os.kill(process.pid, number)
    assert len(fresh.render(music(2)).mix) > 0
    assert workers
    assert workers == set(active_children()) - others
    assert capfd.readouterr().err == ""


def test_a_broken_bank_is_one_clear_error(tmp_path: Path, palette: Palette) -> None:
    bank = tmp_path / "broken.sf2"
    bank.write_bytes(b"RIFF\0\0\0\0sfbk" + b"\0" * 100)
    with Renderer(tmp_path, SoundFont(bank), palette, workers=1) as broken, pytest.raises(SoundError, match="broken"):
        broken.render(music())


def test_missing_libfluidsynth_names_the_package(fresh: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fluidsynth", None)
    with pytest.raises(SoundError) as caught:
        fresh.render(music())
    assert "fluid" in caught.value.advice
    assert caught.value.blame is Blame.MACHINE


def test_unknown_instruments_name_the_track(fresh: Renderer) -> None:
    with pytest.raises(SoundInputError, match=r"'t1'.*theremin"):
        fresh.render(song(track("theremin", clip((60, 0, 1, 90)))))


def test_a_cache_folder_that_cannot_be_made_is_one_clear_error(
    tmp_path: Path, soundfont: SoundFont, palette: Palette
) -> None:
    (tmp_path / "file").write_text("")
    with Renderer(tmp_path / "file", soundfont, palette, workers=1) as blocked, pytest.raises(SoundError) as caught:
        blocked.render(music())
    assert "cache" in caught.value.what


def test_the_room_loads_no_slow_library_before_it_is_used() -> None:
    code = (
        "import sys, app.sound.renderer, app.sound.analysis, app.sound.audio_files, app.sound.worker\n"
        "slow = {'fluidsynth', 'pedalboard', 'scipy', 'pyloudnorm', 'soundfile', 'pretty_midi'} & set(sys.modules)\n"
        "sys.exit(str(slow) if slow else 0)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)

"""What is heard: the same as the export, at every moment, through seeks, loops, faders and edits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from pulling import BLOCK, PulledDesk, eventually, pulled

from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import TempoChange, Ticks
from app.sound.player import FADE
from app.sound.renderer import Renderer
from tests.app.sound.songs import clip, effect, lane, notes, rms, song, track

CHORD = ((60, 0.0, 4.0, 90), (64, 0.0, 4.0, 90), (67, 0.0, 4.0, 90))
BEAT = tuple((36 + 6 * (beat % 2), beat / 2, 0.5, 120) for beat in range(16))
QUIET = 2e-4
"""Tolerance of a sample: what 16 bits of some tracks add up to behind the make-up gain."""
SETTLING = 2400
"""Frames after a jump in which the low end of both channels comes to the middle again."""


def music(**fields: object) -> Song:
    reverb = effect("reverb", mix=0.5)
    return song(
        track("organ_drawbar", clip(*CHORD), clip(*CHORD, start=4, name="c9"), pan=-0.3, effects=(reverb,)),
        track("kit_power", clip(*BEAT, length=8, name="c2"), name="t2", volume_db=2,
              automation=(lane("volume_db", (0, -6), (4, 2)),)),
        track("lead_saw", clip(*CHORD, name="c3"), name="t3", mute=True),
        **fields,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("played")


@pytest.fixture
def desk(cache: Path, palette: Palette) -> Iterator[PulledDesk]:
    with pulled(cache, palette) as made:
        yield made


def middle(sound: np.ndarray) -> np.ndarray:
    """What both channels share."""
    return sound.mean(axis=1)


def close_to(heard: np.ndarray, exported: np.ndarray) -> bool:
    return bool(np.abs(heard - exported).max() < QUIET)


@pytest.mark.parametrize("target", [-23.0, -9.0])
def test_what_is_played_is_what_is_exported(desk: PulledDesk, renderer: Renderer, target: float) -> None:
    whole = music(loudness_target=target, master_effects=(effect("compressor", threshold=-20.0),))
    rendering = renderer.render(whole)
    assert rendering.limited == (target == -9.0)
    desk.ready(whole)
    heard = desk.heard(seconds=rendering.duration)
    # Play begins with a fade, and the export ends with one.
    assert close_to(heard[FADE:-480], rendering.mix[FADE:-480])
    assert desk.desk.loudness("song") == pytest.approx(rendering.loudness, abs=0.05)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(beats=st.integers(0, 30), block=st.sampled_from([64, 480, 1000, 1024, 2048]))
def test_from_everywhere_in_blocks_of_every_size(
    shared: tuple[PulledDesk, np.ndarray], beats: int, block: int
) -> None:
    desk, exported = shared
    heard = desk.heard(at=beats / 4, seconds=0.3, block=block)
    start = beats * 6000
    assert close_to(heard[FADE:], exported[start + FADE : start + len(heard)])


@pytest.fixture(scope="module")
def shared(cache: Path, palette: Palette, renderer: Renderer) -> Iterator[tuple[PulledDesk, np.ndarray]]:
    whole = music()
    exported = np.pad(renderer.render(whole).mix, ((0, 48_000), (0, 0)))
    with pulled(cache, palette) as made:
        made.ready(whole)
        yield made, exported


def test_a_loop_wraps_on_the_frame(shared: tuple[PulledDesk, np.ndarray]) -> None:
    desk, exported = shared
    desk.desk.set_loop((Ticks(960), Ticks(1440)))
    heard = desk.heard(at=1, seconds=1.0)
    desk.desk.set_loop(None)
    for lap in range(4):
        first = lap * 12_000
        assert close_to(middle(heard[first + FADE : first + 12_000]), middle(exported[24_000 + FADE : 36_000]))
        settled = FADE + SETTLING
        assert close_to(heard[first + settled : first + 12_000], exported[24_000 + settled : 36_000])
    assert not close_to(heard[12_000 - FADE : 24_000 - FADE], exported[24_000:36_000])


def test_a_seek_is_followed_by_the_next_block_without_a_click(shared: tuple[PulledDesk, np.ndarray]) -> None:
    desk, exported = shared
    desk.desk.play(Ticks(0))
    desk.output.pull(4 * BLOCK)
    desk.desk.seek(Ticks(2880))
    assert desk.desk.position == 2880
    after = desk.output.pull(4 * BLOCK)
    assert close_to(middle(after[FADE:]), middle(exported[72_000 + FADE : 72_000 + 4 * BLOCK]))
    settled = FADE + SETTLING
    assert close_to(after[settled:], exported[72_000 + settled : 72_000 + 4 * BLOCK])
    before = exported[4 * BLOCK - 1]
    assert np.abs(after[0] - before).max() < 0.05
    desk.desk.stop()
    desk.output.pull(BLOCK)
    assert not desk.output.pull(BLOCK).any()


def test_it_stops_at_the_end(shared: tuple[PulledDesk, np.ndarray]) -> None:
    desk, _ = shared
    desk.desk.play(Ticks(7 * 960))
    for _ in range(400):
        desk.output.pull(BLOCK)
    assert not desk.desk.status.playing
    assert desk.desk.levels() == (float("-inf"), float("-inf"))


def test_faders_mute_and_solo_act_on_the_next_block(desk: PulledDesk) -> None:
    whole = song(
        track("organ_drawbar", clip((60, 0, 16, 90), length=16)),
        track("organ_drawbar", clip((67, 0, 16, 90), length=16, name="c2"), name="t2"),
    )
    desk.ready(whole)
    desk.desk.play(Ticks(960))
    desk.output.pull(8 * BLOCK)
    both = desk.desk.track_levels()
    assert set(both) == {"t1", "t2"}
    desk.desk.mix(frozenset({TrackId("t2")}), {})
    desk.output.pull(BLOCK)
    assert set(desk.desk.track_levels()) == {"t2"}
    desk.desk.mix(frozenset(), {TrackId("t1"): (-30.0, None)})
    desk.output.pull(BLOCK)
    assert desk.desk.track_levels()[TrackId("t1")][0] == pytest.approx(both[TrackId("t1")][0] - 30, abs=1.5)
    desk.desk.mix(frozenset(), {TrackId("t1"): (None, 1.0)})
    desk.output.pull(BLOCK)
    assert desk.desk.track_levels()[TrackId("t1")][0] < -100
    desk.desk.mix(frozenset(), {})
    first, second = whole.tracks
    desk.desk.show("song", replace(whole, tracks=(replace(first, mute=True), second)))
    desk.output.pull(BLOCK)
    assert set(desk.desk.track_levels()) == {"t2"}
    assert desk.desk.status.preparing is None


def test_unmuting_finds_the_track_ready(desk: PulledDesk) -> None:
    muted = song(track("organ_drawbar", clip(*CHORD), mute=True))
    desk.ready(muted)
    assert not desk.heard(seconds=0.5).any()
    desk.desk.show("song", replace(muted, tracks=(replace(muted.tracks[0], mute=False),)))
    assert rms(desk.heard(seconds=0.5), 0.1) > -60


def test_an_edit_while_it_plays_is_heard_without_a_click(desk: PulledDesk, renderer: Renderer) -> None:
    before = song(track("organ_drawbar", clip((48, 0, 16, 70), length=16), effects=(effect("reverb"),)))
    desk.ready(before)
    desk.desk.play(Ticks(0))
    desk.output.pull(20 * BLOCK)
    changed = clip((48, 0, 16, 70), (84, 0, 16, 110), length=16)
    after = replace(before, tracks=(replace(before.tracks[0], clips=(changed,)),))
    desk.desk.show("song", after)
    old = desk.output.pull(BLOCK)
    assert rms(old) > -60
    desk.settle()
    passing = desk.output.pull(BLOCK)
    # The new sound may have been heard at the old level, too loud: what turned it down lets go again.
    following = desk.output.pull(120 * BLOCK)
    rest = desk.output.pull(40 * BLOCK)
    assert close_to(rest, renderer.render(after).mix[142 * BLOCK : 182 * BLOCK])
    steepest = np.abs(np.diff(np.concatenate((following, rest)), axis=0)).max()
    assert np.abs(np.diff(np.concatenate((old[-1:], passing)), axis=0)).max() < 1.5 * steepest


def test_only_what_an_edit_touches_is_made_again(desk: PulledDesk) -> None:
    clips = [clip((60, 0, 2, 90), start=8 * n, length=4, name=f"c{n}") for n in range(6)]
    before = song(track("piano_grand", *clips), track("bass_finger", clip((36, 0, 4, 90), name="b"), name="t2"))
    desk.ready(before)
    side = desk.desk._stage.sides["song"]
    old = dict(side.works())
    edited = replace(clips[4], notes=notes((72, 0, 2, 90)))
    piano = replace(before.tracks[0], clips=(*clips[:4], edited, clips[5]))
    desk.ready(replace(before, tracks=(piano, before.tracks[1])))
    new = dict(side.works())
    assert new[TrackId("t2")] is old[TrackId("t2")]
    kept = [n for n, chunk in new[TrackId("t1")].chunks.items() if old[TrackId("t1")].chunks.get(n) is chunk]
    assert 0 in kept
    assert 5 in kept
    assert 32 * 24_000 // 32_768 not in kept


def test_a_plan_is_heard_at_the_playhead_and_as_loud(desk: PulledDesk, renderer: Renderer) -> None:
    mine = song(track("organ_drawbar", clip((60, 0, 16, 90), length=16)))
    ghost = song(track("organ_drawbar", clip((72, 0, 16, 90), length=16), volume_db=-20))
    desk.ready(mine)
    desk.ready(ghost, "plan")
    desk.desk.play(Ticks(0))
    desk.output.pull(10 * BLOCK)
    desk.desk.listen("plan")
    heard = desk.output.pull(20 * BLOCK)
    assert close_to(heard[FADE:], renderer.render(ghost).mix[10 * BLOCK + FADE : 30 * BLOCK])
    a, b = (desk.desk.loudness(side) for side in ("song", "plan"))
    assert a == pytest.approx(b, abs=0.5)
    desk.desk.show("plan", None)
    heard = desk.output.pull(20 * BLOCK)
    assert close_to(heard[FADE:], renderer.render(mine).mix[30 * BLOCK + FADE : 50 * BLOCK])


def test_a_plan_in_another_tempo_is_heard_at_the_same_beat(desk: PulledDesk) -> None:
    mine = song(track("organ_drawbar", clip((60, 0, 16, 90), length=16)))
    desk.ready(mine)
    desk.ready(replace(mine, tempos=(TempoChange(Ticks(0), 60.0),)), "plan")
    desk.desk.play(Ticks(4 * 960))
    desk.output.pull(48_000)
    at = desk.desk.position
    desk.desk.listen("plan")
    desk.output.pull(BLOCK)
    assert desk.desk.position == pytest.approx(at, abs=BLOCK / 48_000 * 960 + 2)


@pytest.mark.parametrize("bpm", [120.0, 90.0])
def test_a_song_that_is_empty_goes_on_in_silence_where_its_plan_sounds(
    desk: PulledDesk, renderer: Renderer, bpm: float
) -> None:
    ghost = song(track("organ_drawbar", clip((60, 0, 16, 90), length=16)), tempos=(TempoChange(Ticks(0), bpm),))
    desk.ready(song())
    desk.ready(ghost, "plan")
    desk.desk.listen("plan")
    desk.desk.play(Ticks(4 * 960))
    desk.output.pull(10 * BLOCK)
    at = desk.desk.position
    desk.desk.listen("song")
    silence = desk.output.pull(20 * BLOCK)
    assert desk.desk.status.playing
    assert not silence[FADE:].any()
    assert desk.desk.position == pytest.approx(at + 20 * BLOCK / 24_000 * 960, abs=3)
    desk.desk.listen("plan")
    heard = desk.output.pull(10 * BLOCK)
    start = desk.desk.player.frame - 10 * BLOCK
    assert close_to(heard[FADE:], renderer.render(ghost).mix[start + FADE : start + 10 * BLOCK])
    desk.desk.listen("song")
    desk.output.pull(16 * 48_000)
    assert not desk.desk.status.playing


def test_a_loop_goes_on_in_a_song_that_has_nothing_there(desk: PulledDesk) -> None:
    ghost = song(track("organ_drawbar", clip((60, 0, 16, 90), length=16)))
    desk.ready(song())
    desk.ready(ghost, "plan")
    desk.desk.set_loop((Ticks(1920), Ticks(2880)))
    desk.desk.listen("plan")
    desk.desk.play(Ticks(1920))
    desk.output.pull(10 * BLOCK)
    desk.desk.listen("song")
    assert not desk.output.pull(100 * BLOCK)[FADE:].any()
    assert desk.desk.status.playing
    assert 1920 <= desk.desk.position < 2880
    desk.desk.listen("plan")
    assert rms(desk.output.pull(10 * BLOCK)) > -60
    desk.desk.stop()


def test_a_side_that_goes_takes_its_length_with_it(desk: PulledDesk) -> None:
    short = song(track("organ_drawbar", clip((60, 0, 1, 90), length=1)))
    desk.ready(short)
    desk.ready(song(track("organ_drawbar", clip((60, 0, 16, 90), length=16))), "plan")
    desk.desk.play(Ticks(8 * 960))
    desk.output.pull(BLOCK)
    assert desk.desk.status.playing
    desk.desk.show("plan", None)
    desk.output.pull(2 * BLOCK)
    assert not desk.desk.status.playing


def test_play_begins_before_the_song_is_ready(tmp_path: Path, palette: Palette) -> None:
    tracks = [
        track("piano_grand", *(
            clip((60 + n, 0, 4, 90), start=4 * n, name=f"c{n}_{row}") for n in range(24)
        ), name=f"t{row}", effects=(effect("reverb"),))
        for row in range(4)
    ]
    with pulled(tmp_path / "new", palette) as desk:
        desk.desk.show("song", song(*tracks))

        def is_heard() -> bool:
            # Blocks are pulled faster than they are played: where the sound is late, the end comes before it.
            if not desk.desk.status.playing:
                desk.desk.play(Ticks(80 * 960))
            return bool(desk.output.pull(BLOCK).any())

        eventually(is_heard)
        assert desk.desk.status.preparing is not None
        assert 0 <= desk.desk.status.preparing < 1


def test_a_song_without_notes_plays_silence(desk: PulledDesk) -> None:
    desk.ready(song())
    assert not desk.heard(seconds=0.2).any()
    desk.ready(song(track("pad_warm", clip())))
    assert desk.desk.loudness("song") is None
    desk.desk.play(Ticks(0))
    desk.output.pull(BLOCK)
    assert desk.desk.status.playing
    assert not desk.output.pull(48_000).any()
    desk.desk.stop()


def test_a_track_that_cannot_sound_is_told_and_the_others_play(desk: PulledDesk) -> None:
    desk.desk.show("song", song(
        track("theremin_of_doom", clip(*CHORD)),
        track("organ_drawbar", clip(*CHORD, name="c2"), name="t2"),
        track("organ_drawbar", clip(*CHORD, name="c3"), name="t3", effects=(effect("flangr"),)),
    ))
    desk.settle()
    assert rms(desk.heard(seconds=0.5), 0.1) > -60
    told = " ".join(str(error) for error in desk.errors)
    assert "theremin_of_doom" in told
    assert "flangr" in told


def test_a_fader_that_is_raised_far_does_not_clip(desk: PulledDesk) -> None:
    whole = song(track("kit_power", clip(*BEAT, length=8), volume_db=-20), loudness_target=-9.0)
    desk.ready(whole)
    desk.desk.mix(frozenset(), {TrackId("t1"): (12.0, None)})
    assert np.abs(desk.heard(seconds=2)).max() <= 0.981

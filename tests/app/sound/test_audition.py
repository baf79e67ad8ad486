"""Single notes: heard over what plays and in silence, as the track sounds, before all other rendering."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pulling import BLOCK, PulledDesk, pulled

from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.time import Ticks
from app.sound.audition import AuditionNote
from app.sound.voices import MOST, SoundingNote, Voices
from tests.app.sound.songs import clip, effect, pitch_hz, rms, song, track

T1, T2 = TrackId("t1"), TrackId("t2")
LONG = tuple((40 + step % 40, step / 8, 2.0, 80) for step in range(3000))


@pytest.fixture
def desk(tmp_path: Path, palette: Palette) -> Iterator[PulledDesk]:
    with pulled(tmp_path, palette) as made:
        yield made


def struck(desk: PulledDesk, pitch: int, *, name: TrackId = T1, seconds: float = 0.4) -> np.ndarray:
    desk.desk.audition(name, AuditionNote(pitch, 90, seconds))
    return desk.output.pull(2 * 48_000)


def test_a_note_sounds_while_nothing_plays_and_ends(desk: PulledDesk) -> None:
    desk.ready(song(track("organ_drawbar", clip((60, 0, 4, 90)))))
    heard = struck(desk, 69)
    assert not desk.desk.status.playing
    assert desk.desk.position == 0
    assert rms(heard, 0, 0.4) > -45
    assert pitch_hz(heard, 0.1, 0.4, 400, 480) == pytest.approx(440, abs=8)
    assert rms(heard, 1.0, 2.0) < -80


def test_it_is_added_to_what_plays(desk: PulledDesk) -> None:
    desk.ready(song(track("organ_drawbar", clip((48, 0, 8, 90), length=8))))
    alone = desk.heard(seconds=1)
    desk.desk.play(Ticks(0))
    first = desk.output.pull(BLOCK)
    assert np.abs(first - alone[:BLOCK]).max() < 1e-4
    heard = struck(desk, 84)
    assert np.abs(heard[: 20 * BLOCK] - alone[BLOCK : 21 * BLOCK]).max() > 0.01
    assert desk.desk.status.playing


def test_volume_pan_instrument_and_effects_are_the_tracks(desk: PulledDesk) -> None:
    note = clip((60, 0, 1, 90))
    desk.ready(song(
        track("organ_drawbar", note, pan=-1.0),
        track("organ_drawbar", note, name="t2", volume_db=-20.0, pan=-1.0, mute=True),
        track("organ_drawbar", note, name="t3", effects=(effect("delay", mix=1.0, time=1.0),)),
    ))
    loud, quiet, late = (struck(desk, 60, name=TrackId(name)) for name in ("t1", "t2", "t3"))
    assert not loud[:, 1].any()
    assert rms(loud) - rms(quiet) == pytest.approx(20, abs=0.5)
    assert rms(late, 0.1, 0.4) < rms(late, 1.1, 1.4) - 20


def test_its_meter_moves(desk: PulledDesk) -> None:
    desk.ready(song(track("organ_drawbar", clip((60, 0, 1, 90))), track("piano_grand", name="t2")))
    desk.desk.audition(T2, AuditionNote(60, 90, 0.4))
    desk.output.pull(4 * BLOCK)
    assert desk.desk.track_levels()[T2][0] > -60
    assert T1 not in desk.desk.track_levels()


@pytest.mark.parametrize(
    ("name", "pitch", "velocity"), [("gone", 60, 90), ("t1", 128, 90), ("t1", -1, 90), ("t1", 60, 0)]
)
def test_what_cannot_sound_is_silent(desk: PulledDesk, name: str, pitch: int, velocity: int) -> None:
    desk.ready(song(track("organ_drawbar", clip((60, 0, 1, 90)))))
    desk.desk.audition(TrackId(name), AuditionNote(pitch, velocity, 0.4))
    assert not desk.output.pull(BLOCK).any()
    assert desk.errors == []


def test_an_unknown_instrument_is_told(desk: PulledDesk) -> None:
    desk.ready(song(track("organ_drawbar", clip((60, 0, 1, 90))), track("theremin", name="t2")))
    desk.desk.play(desk.desk.position)
    desk.errors.clear()
    desk.desk.audition(T2, AuditionNote(60, 90, 0.4))
    desk.desk.audition(T2, AuditionNote(61, 90, 0.4))
    assert len([error for error in desk.errors if "theremin" in str(error)]) == 1
    assert rms(struck(desk, 60)) > -60


def test_it_does_not_wait_for_a_long_clip_in_the_making(desk: PulledDesk) -> None:
    desk.ready(song(track("organ_drawbar", clip((60, 0, 1, 90)))))
    desk.desk.show("song", song(
        track("organ_drawbar", clip((60, 0, 1, 90))), track("piano_grand", clip(*LONG, length=400), name="t2")
    ))
    time.sleep(0.15)
    heard = struck(desk, 60)
    assert rms(heard, 0, 0.4) > -60
    assert not desk.desk._stage.sides["song"].ready


def test_of_many_voices_the_oldest_end_without_a_click() -> None:
    voices, out = Voices(), np.zeros((BLOCK, 2), np.float32)
    steady = np.full((2, 10 * BLOCK), 0.01, np.float32)
    for _ in range(MOST):
        voices.add(SoundingNote(T1, steady))
    voices.write(out, {})
    before = float(out[-1, 0])
    voices.add(SoundingNote(T1, np.zeros((2, 10 * BLOCK), np.float32)))
    out.fill(0)
    peaks: dict[TrackId, tuple[float, float]] = {}
    voices.write(out, peaks)
    assert before == pytest.approx(0.01 * MOST, rel=1e-4)
    assert np.abs(np.diff(out[:, 0])).max() < 1e-4
    assert out[-1, 0] == pytest.approx(0.01 * (MOST - 1), rel=1e-3)
    assert peaks[T1][0] == pytest.approx(0.01, rel=1e-4)

"""What is kept in memory while songs are made ready: bounded, exact, given back."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.song.palette import Palette
from app.sound.chunk_store import ChunkStore
from app.sound.deck import Deck, Level
from app.sound.effects import EffectChain
from app.sound.errors import SoundError
from app.sound.measuring import measured
from app.sound.part import GRID, EventKind, part_of
from app.sound.processed import CHUNK, chunk_of, write_chunks
from app.sound.rendering_ahead import glimpse_of
from tests.app.sound.songs import clip, lane, song, track


def levels(value: int, frames: int = 1000) -> np.ndarray:
    return np.full((2, frames), value, np.int16)


def test_what_is_over_the_budget_lies_in_a_file_and_is_the_same() -> None:
    store = ChunkStore(budget=10_000)
    kept = [store.kept(levels(n)) for n in range(20)]
    assert store.used == 8000
    assert [int(one[1, -1]) for one in kept] == list(range(20))
    assert all((one == one[0, 0]).all() for one in kept)
    del kept
    gc.collect()
    assert store.used == 0


@given(st.floats(1e-4, 2.0), st.integers(0, 2 * CHUNK), st.integers(1, 3000))
def test_chunks_give_back_what_was_put_in(level: float, start: int, frames: int) -> None:
    seconds = np.arange(2 * CHUNK) / 48_000
    sound = (np.stack([np.sin(2000 * seconds), np.cos(333 * seconds)]) * level).astype(np.float32)
    chunks = {0: chunk_of(sound[:, :CHUNK]), 1: chunk_of(sound[:, CHUNK:])}
    out = np.ones((2, frames), np.float32)
    heard = write_chunks(chunks, start, out)
    there = sound[:, start : start + frames]
    assert heard == (start < 2 * CHUNK)
    assert np.abs(out[:, : there.shape[1]] - there).max(initial=0) <= level / 32767
    assert not out[:, there.shape[1] :].any()


def test_equal_sides_and_silence_take_less() -> None:
    one = np.ones((2, 100), np.float32)
    assert chunk_of(one).levels.shape == (1, 100)
    assert chunk_of(np.zeros((2, 100), np.float32)).levels.size == 0


def test_a_glimpse_has_the_notes_and_controls_that_are_heard(palette: Palette) -> None:
    rows = [(60 + n % 12, n / 2, 0.5, 90) for n in range(64)]
    pedal = lane("expression", (0, 20), (24, 100), hold=True)
    whole = song(track("piano_grand", clip((40, 0, 32, 50), *rows, length=32), automation=(pedal,)))
    instrument = palette.instrument("piano_grand")
    short = song(track("piano_grand", clip(*rows, length=32), automation=(pedal,)))
    part = part_of(short, short.tracks[0], short.tracks[0].clips[0], instrument)
    assert part is not None
    start = 15 * 48_000
    glimpse = glimpse_of(part, start, start + CHUNK)
    assert glimpse is not None
    struck = [step * GRID + glimpse.origin for step, kind, *_ in glimpse.part.events if kind == EventKind.NOTE_ON]
    assert start - 3 * 48_000 < min(struck) <= start
    assert max(struck) < start + CHUNK
    controls = [event[3] for event in glimpse.part.events if event[1] == EventKind.CONTROL]
    assert controls == [100]
    held = part_of(whole, whole.tracks[0], whole.tracks[0].clips[0], instrument)
    assert held is not None
    # A note that is held through all of it must be played from where it began: nothing is saved.
    assert glimpse_of(held, start, start + CHUNK) is None


def test_a_song_of_many_hours_is_not_held_in_memory_to_measure_it(palette: Palette) -> None:
    long = song(track("piano_grand", clip((60, 0, 1, 90), length=120 * 60 * 27)))
    deck = Deck(long, (), EffectChain((), palette), Level(np.float32(1)), 0)
    with pytest.raises(SoundError, match="too long") as caught:
        measured(deck, palette, lambda: None)
    assert "1,620 minutes" in caught.value.why

"""Parts of a track found by where they sound: the same as asking every part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.sound.part import GRID, LONGEST_TAIL, SAMPLE_RATE, SynthPart
from app.sound.renderer import PlacedPart
from app.sound.spans import Spans

TAIL = int(LONGEST_TAIL * SAMPLE_RATE)
KEYS = st.sampled_from("abcd")
PLACES = st.lists(st.tuples(KEYS, st.integers(0, 5_000_000)), max_size=12)
LEARNT = st.lists(st.tuples(KEYS, st.integers(1, 3_000_000)), max_size=6)


PARTS = {key: SynthPart(0, 0, ((at, 0x80, 60, 0),)) for key, at in zip("abcd", (10, 4_000, 20_000, 300), strict=True)}


@given(PLACES, LEARNT, st.integers(0, 6_000_000), st.integers(1, 400_000))
def test_it_finds_what_asking_each_part_finds(
    places: list[tuple[str, int]], learnt: list[tuple[str, int]], start: int, length: int
) -> None:
    parts = [PlacedPart(key, PARTS[key], frame) for key, frame in places]
    spans, known = Spans(parts, {}), dict[str, int]()
    for key, frames in (("", 0), *learnt):
        if key:
            spans.learn(key, frames)
            known[key] = frames
        ends = [
            (one, one.frame + known.get(one.key, one.part.events[-1][0] * GRID + TAIL)) for one in parts
        ]
        assert spans.end == max((end for _, end in ends), default=0)
        expected = [one for one, end in ends if one.frame < start + length and start < end]
        assert list(spans.between(start, start + length)) == expected


def test_what_was_known_of_the_track_before_is_known_of_it_after_an_edit() -> None:
    before = Spans([PlacedPart("a", PARTS["a"], 0)], {})
    before.learn("a", 100)
    after = Spans([PlacedPart("a", PARTS["a"], 50)], before.lengths)
    assert after.end == 150

"""The upper row of the ruler where there is little room: names of sections stay in sight beside the flags."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import structs
from timeline_hands import BAR, SONG

from agent.song.ids import SectionId
from agent.song.song import Section
from agent.song.time import MeterChange, TempoChange, Ticks
from app.ui.timeline.ruler_layout import FLAG_LEAST

Run = Callable[..., None]
NAMES = ("Intro", "Verse", "Build", "Chorus", "Break")
CROWDED = structs.replace(
    SONG,
    sections=tuple(
        Section(SectionId(f"s{at}"), name, Ticks(4 * at * BAR), Ticks(4 * BAR)) for at, name in enumerate(NAMES)
    ),
    tempos=(TempoChange(Ticks(0), 120.0), *(TempoChange(Ticks(4 * at * BAR), 84.5 + at) for at in range(1, 5))),
    meters=(MeterChange(Ticks(0)), MeterChange(Ticks(8 * BAR), 3, 4), MeterChange(Ticks(12 * BAR), 4, 4)),
)


@pytest.mark.parametrize("wide", [100, 76])
def test_flags_are_cut_before_they_push_a_name_aside(told: Run, wide: int) -> None:
    async def story(one) -> None:
        one.view.stage.axis.per_beat = wide / 16
        one.view.ruler.grab()
        laid = one.view.ruler.layout_now()
        assert [block.section.name for block in laid.blocks] == list(NAMES)
        for block in laid.blocks:
            # What the section before could not hold is its smallest flag at most, whatever letters are that wide.
            assert block.left < block.name_at < (block.left + block.right) / 2
            assert block.name[:3] == block.section.name[:3]
        for flag in laid.flags:
            assert flag.place.width() >= FLAG_LEAST
            assert flag.shown in (flag.text, flag.text.removesuffix(" BPM"), "…")
            own = next(block for block in laid.blocks if block.section.start <= flag.at < block.section.end)
            assert flag.place.x() > own.name_at
        assert {flag.text for flag in laid.flags} >= {"85.5 BPM", "3/4"}
        if wide == 100:
            assert next(flag.shown for flag in laid.flags if flag.at == 4 * BAR) == "85.5"

    told(story, song=CROWDED)


def test_with_room_flags_say_all(told: Run) -> None:
    async def story(one) -> None:
        one.view.stage.axis.per_beat = 260 / 16
        one.view.ruler.grab()
        laid = one.view.ruler.layout_now()
        assert all(flag.shown == flag.text for flag in laid.flags)
        assert all(block.name == block.section.name for block in laid.blocks)

    told(story, song=CROWDED)

"""The asks of a change: what was asked is measured where the task worked, and the intensity goes through."""

from __future__ import annotations

import pytest
from awaiting import result_of
from msgspec.structs import replace

from agent.composer.composer import Composer
from agent.plan.errors import PlanError
from agent.plan.plan import Ask, Draft
from agent.plan.planning import Brief, DraftReady
from agent.review.asked import held, met
from agent.song.song import Song
from agent.theory.figures import figure


def planned(bench, request: str, song: Song, intensity: float) -> Draft:
    brief = Brief(request, song, bench.palette, tuple(bench.registry.tools.values()), 1, intensity=intensity)

    async def last() -> object:
        return [event async for event in Composer(bench.styles, bench.words).plan(brief)][-1]

    ready = result_of(last())
    assert isinstance(ready, DraftReady)
    return ready.draft


def test_bars_that_move_are_measured_where_they_then_lie(bench, sample) -> None:
    draft = bench.draft("no bass in bars 3-4 and add a 4 bar intro", sample)
    ask = next(ask for ask in draft.asks if ask.measure.startswith("notes"))
    assert (ask.bars, ask.now_bars) == ((3, 4), (7, 8))
    after = bench.song(draft, sample)
    assert (held(ask, sample, after, bench.palette).before, held(ask, sample, after, bench.palette).after) == (16, 0)
    assert not met(replace(ask, now_bars=(5, 6)), sample, after, bench.palette)


@pytest.mark.parametrize(
    ("request_", "measures"),
    [
        ("remove the drums", {"notes:Drums"}),
        ("add strings in bars 3-4", {"notes:strings"}),
        ("replace the piano with an organ", {"notes:organ"}),
        ("make the bass 3 dB quieter", {"level:Bass"}),
        ("groovier", {"groove"}),
        ("make it louder", {"loudness_target"}),
        ("darker, but keep the bass", {"brightness", "unchanged:Bass"}),
        ("more ambient", {"tempo", "onsets_per_bar", "mean_note_beats", "pad_share", "wet_share", "percussion_hits"}),
    ],
)
def test_what_was_asked_is_measured_and_met(bench, sample, request_: str, measures: set[str]) -> None:
    draft = bench.draft(request_, sample)
    after = bench.song(draft, sample)
    assert measures <= {ask.measure for ask in draft.asks}
    for ask in draft.asks:
        assert met(ask, sample, after, bench.palette), ask


def test_a_task_in_bars_is_measured_in_them_alone(bench, sample) -> None:
    draft = bench.draft("no bass in bars 3-4", sample)
    ask = next(ask for ask in draft.asks if ask.measure)
    assert ask.bars == (3, 4)
    figures = held(ask, sample, bench.song(draft, sample), bench.palette)
    assert figures.before == 16
    assert figures.after == 0
    # the same song without the change does not meet it
    assert not met(ask, sample, sample, bench.palette)


def test_a_kept_part_that_changed_is_told(bench, sample) -> None:
    ask = Ask("keep bass", (), "unchanged:Bass", "equals", 1.0)
    louder = replace(sample, tracks=tuple(replace(t, volume_db=-2.0) if t.name == "Bass" else t for t in sample.tracks))
    assert met(ask, sample, sample, bench.palette)
    assert not met(ask, sample, louder, bench.palette)


def test_intensity_scales_every_task(bench, sample) -> None:
    levels = []
    for intensity in (0.25, 0.5, 1.0):
        after = bench.song(planned(bench, "make the bass louder", sample, intensity), sample)
        levels.append(figure("level:Bass", sample, after, bench.palette))
    assert levels == [0.75, 1.5, 3.0]


def test_intensity_of_nothing_says_so(bench, sample) -> None:
    with pytest.raises(PlanError) as refused:
        planned(bench, "make the bass louder", sample, 0.0)
    assert refused.value.what == "nothing would change"
    assert "0 %" in refused.value.why


def test_a_new_piece_has_no_intensity(bench) -> None:
    draft = planned(bench, "a calm piano piece, 8 bars", Song(), 0.5)
    assert any("intensity" in text for text in draft.ignored)


def test_a_role_that_a_new_piece_was_asked_for_is_measured(bench) -> None:
    draft = bench.draft("a pop song with drums, a bass line and a melody")
    song = bench.song(draft)
    wanted = [ask for ask in draft.asks if ask.asked.startswith("with ")]
    assert len(wanted) == 3
    for ask in wanted:
        assert ask.steps
        assert held(ask, Song(), song, bench.palette).after > 0, ask

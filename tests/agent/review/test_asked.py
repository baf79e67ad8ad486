"""What was asked is held against a change: shares by value, other figures by what they were before."""

from __future__ import annotations

from msgspec.structs import replace
from studio_parts import a_plan, a_song, judged, step, the_palette

from agent.plan.plan import Ask
from agent.review.asked import held


def test_an_ask_with_a_measure_that_nobody_knows_is_marked_and_not_passed_over() -> None:
    plan = a_plan(step("s1", "set_tempo", {"bpm": 90}), asks=(Ask("90 BPM", ("s1",), "temp", "equals", 90.0),))
    [mark] = judged(plan).plan.lint
    assert (mark.step, mark.rule, mark.level) == ("s1", "measure", "warning")
    assert "'temp'" in mark.message
    assert "tempo" in mark.fix


def test_a_figure_is_held_against_the_past_and_a_share_against_the_value() -> None:
    song = a_song()
    slower = replace(song, tempos=(replace(song.tempos[0], bpm=song.tempos[0].bpm / 2),))
    half = held(Ask("half the tempo", (), "tempo", "at_most", 0.5), song, slower, the_palette())
    assert (half.met, half.after) == (True, song.tempos[0].bpm / 2)
    assert not held(Ask("less than half", (), "tempo", "at_most", 0.4), song, slower, the_palette()).met
    assert held(Ask("no space", (), "wet_share", "at_most", 1.0), song, slower, the_palette()).met
    assert not held(Ask("all in space", (), "wet_share", "at_least", 1.1), song, slower, the_palette()).met

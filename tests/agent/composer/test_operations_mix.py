"""The mix: what a wish turns, by how much, where it stops, and that it returns after its bars."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.composer.changing.change import ChangeWriter
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.operations import Mix
from agent.composer.understanding.tasks import Bars, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.plan.document import Plan
from agent.plan.planning import Brief
from agent.review.review import review
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Automation, Point, Track
from agent.theory.excerpts import lane_value
from agent.theory.figures import figure

BASS = Wish("bass", "bass", ("bass",), whole_role=True)
LEAD = Wish("lead", "lead", ("lead",), whole_role=True)
HATS = Wish("hi-hats", "drums", ("drums",), pieces=("hat",))
WHOLE = Scope()
HERE = Scope((Bars(3, 4),))
BAR = 3840


def mixed(bench, song: Song, operation: Mix, scope: Scope = WHOLE, amount: float = 1.0) -> tuple[Song, str]:
    """The song after a wish for the mix, and why it was not possible; notes stay but for single drums."""
    brief = Brief("", song, bench.palette, tuple(bench.registry.tools.values()), 1)
    rows = Rows(song, Guard(song, ()))
    task = Task(operation, scope, amount)
    change = ChangeWriter(brief, Intent(goal="change", tasks=(task,)), bench.styles, None, Dice(1, "test"))
    for _ in change.write(rows):
        pass
    judged = review(Plan(steps=tuple(rows.steps), project="p"), song, bench.registry, bench.palette)
    assert not judged.errors
    assert judged.preview is not None
    after = judged.preview.song
    if operation.wish is None or not operation.wish.pieces:
        assert [t.clips for t in after.tracks] == [t.clips for t in song.tracks]
    return after, change.changed.blocked.get(0, "")


def named(song: Song, name: str) -> Track:
    return next(track for track in song.tracks if track.name == name)


def test_decibels_are_exact_and_a_step_is_three(bench, sample) -> None:
    assert named(mixed(bench, sample, Mix("level", 1, BASS, 4.5))[0], "Bass").volume_db == 4.5
    assert named(mixed(bench, sample, Mix("level", -1, BASS))[0], "Bass").volume_db == -3
    assert named(mixed(bench, sample, Mix("level", 1, BASS), amount=0.5)[0], "Bass").volume_db == 1.5


def test_a_level_in_bars_returns_after_them(bench, sample) -> None:
    bass = named(mixed(bench, sample, Mix("level", 1, BASS), HERE)[0], "Bass")
    assert bass.volume_db == 0
    lane = next(lane for lane in bass.automation if lane.target == "volume_db")
    heard = [lane_value(lane, 0.0, at) for at in (0, 2 * BAR - 1, 2 * BAR, 4 * BAR - 1, 4 * BAR, 7 * BAR)]
    assert heard == [0, 0, 3, 3, 0, 0]


def test_an_effect_in_bars_does_nothing_elsewhere(bench, sample) -> None:
    after, _ = mixed(bench, sample, Mix("reverb", 1, LEAD), HERE)
    inside = figure("reverb:Lead", sample, after, bench.palette, (3, 4))
    outside = figure("reverb:Lead", sample, after, bench.palette, (5, 8))
    assert isinstance(inside, float)
    assert inside > 0.1
    assert outside == 0


def test_an_effect_that_is_there_is_set_and_not_added_again(bench, sample) -> None:
    once, _ = mixed(bench, sample, Mix("reverb", 1, LEAD))
    twice, _ = mixed(bench, once, Mix("reverb", 1, LEAD))
    assert [effect.name for effect in named(twice, "Lead").effects] == ["reverb"]
    levels = [figure("reverb", song, song, bench.palette) for song in (sample, once, twice)]
    assert levels == sorted(set(levels))  # type: ignore[type-var]


@pytest.mark.parametrize("control", ["level", "pan", "reverb", "echo", "tone", "width", "punch", "drive"])
def test_every_control_moves_its_figure_both_ways_until_it_stops(bench, sample, control: str) -> None:
    song, before = sample, figure(f"{control}:Lead", sample, sample, bench.palette)
    for _ in range(12):
        song, why = mixed(bench, song, Mix(control, 1, LEAD))  # type: ignore[arg-type]
        now = figure(f"{control}:Lead", song, song, bench.palette)
        if why:
            assert "already" in why
            assert now == before
            break
        assert now > before  # type: ignore[operator]
        before = now
    else:
        pytest.fail("it never stops")
    less, why = mixed(bench, song, Mix(control, -1, LEAD))  # type: ignore[arg-type]
    assert not why
    assert figure(f"{control}:Lead", less, less, bench.palette) < before


@pytest.mark.parametrize("control", ["reverb", "echo", "punch", "drive"])
def test_what_is_not_there_cannot_be_less(bench, sample, control: str) -> None:
    same, why = mixed(bench, sample, Mix(control, -1, LEAD))  # type: ignore[arg-type]
    assert same == sample
    assert "no " in why


def test_the_whole_mix_is_louder_wider_and_has_no_side(bench, sample) -> None:
    assert mixed(bench, sample, Mix("level", 1))[0].loudness_target == sample.loudness_target + 3
    wide, _ = mixed(bench, sample, Mix("width", 1))
    assert figure("width", wide, wide, bench.palette) > 0  # type: ignore[operator]
    assert named(wide, "Bass").pan == 0
    assert "side" in mixed(bench, sample, Mix("pan", 1))[1]


def test_single_drums_are_struck_harder_or_their_highs_turned(bench, sample) -> None:
    loud, _ = mixed(bench, sample, Mix("level", 1, HATS))
    old, new = ([n for c in named(s, "Drums").clips for n in c.notes] for s in (sample, loud))
    moved = {a.pitch for a, b in zip(old, new, strict=True) if b.velocity > a.velocity}
    assert moved == {42}
    bright, _ = mixed(bench, sample, Mix("tone", 1, HATS))
    assert [effect.name for effect in named(bright, "Drums").effects] == ["eq"]
    assert "share one track" in mixed(bench, sample, Mix("pan", 1, HATS))[1]


def test_a_lane_that_is_there_moves_with_its_fader(bench, sample) -> None:
    once, _ = mixed(bench, sample, Mix("level", 1, BASS), HERE)
    after, _ = mixed(bench, once, Mix("level", -1, BASS))
    levels = [figure("level:Bass", sample, after, bench.palette, bars) for bars in ((1, 2), (3, 4), (5, 8))]
    assert levels == [-3, 0, -3]


def test_nothing_changes_at_no_song_of_such_a_part(bench, sample) -> None:
    without = replace(sample, tracks=sample.tracks[:1])
    assert mixed(bench, without, Mix("level", 1, BASS)) == (without, "the song has no bass; it has Drums")


def test_a_fader_or_a_place_that_is_stated_is_where_it_then_stands(bench, sample) -> None:
    assert named(mixed(bench, sample, Mix("level", -1, BASS, at=-6.0))[0], "Bass").volume_db == -6
    assert named(mixed(bench, sample, Mix("pan", -1, BASS, at=-1.0), amount=0.5)[0], "Bass").pan == -1
    again, _ = mixed(bench, sample, Mix("level", -1, BASS, at=-6.0))
    assert "already" in mixed(bench, again, Mix("level", -1, BASS, at=-6.0))[1]


def test_a_place_in_bars_is_left_behind_them(bench, sample) -> None:
    after, _ = mixed(bench, sample, Mix("pan", 1, LEAD, at=0.3), HERE)
    lane = next(lane for lane in named(after, "Lead").automation if lane.target == "pan")
    assert [lane_value(lane, 0.0, at) for at in (0, 2 * BAR, 4 * BAR - 1, 4 * BAR)] == [0, 0.3, 0.3, 0]


def test_a_lane_that_moves_keeps_its_movement(bench, sample) -> None:
    lane = Automation("volume_db", (Point(Ticks(0), -3.0), Point(Ticks(BAR), 1.0)))
    tracks = tuple(replace(t, automation=(lane,)) if t.name == "Bass" else t for t in sample.tracks)
    song = replace(sample, tracks=tracks)
    bass = named(mixed(bench, song, Mix("level", -1, BASS, at=-10.0))[0], "Bass")
    assert [point.value for point in bass.automation[0].points] == [-10, -6]

"""Rows from a sketch: applied, they give the sketch's song; each does something, and none twice what once would do."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from examples import examples
from forms import described, proposed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs
from songs import edits, songs

from agent.composer.changing.report.proposal import RowWriter
from agent.composer.changing.sketch import Sketch
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.review.review import review
from agent.services.registry import Registry
from agent.song.apply import apply
from agent.song.errors import SongError
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Effect

quick = settings(max_examples=examples(80), suppress_health_check=list(HealthCheck))
_MAKES = {"create_track": "track_id", "create_midi_clip": "clip_id", "add_effect": "effect_id"}
_OF = {
    "update_track": "track_id", "delete_track": "track_id", "modify_clip": "clip_id", "delete_clip": "clip_id",
    "update_effect": "effect_id", "remove_effect": "effect_id", "update_section": "section_id",
    "delete_section": "section_id",
}


class Tools:
    """What rows are made and checked with; a plain class, whose repr is short."""

    def __init__(self, palette: Palette, registry: Registry) -> None:
        self.palette = palette
        self.registry = registry


@pytest.fixture(scope="module")
def tools(bench) -> Tools:
    return Tools(bench.palette, bench.registry)


def fit(song: Song, palette: Palette) -> Song:
    """The song with effects as tools make them: every parameter stated, automated only where there is one."""
    return structs.replace(
        song, master_effects=tuple(_fit(effect, palette) for effect in song.master_effects),
        tracks=tuple(
            structs.replace(
                track, effects=(effects := tuple(_fit(effect, palette) for effect in track.effects)),
                automation=tuple(
                    lane for lane in track.automation
                    if "." not in lane.target or any(
                        lane.target == f"{effect.id}.{name}" for effect in effects for name, _ in effect.params
                    )
                ),
            )
            for track in song.tracks
        ),
    )


def _fit(effect: Effect, palette: Palette) -> Effect:
    defaults = {param.name: param.default for param in palette.effect(effect.name).params}
    levels = {param.name: param.low for param in palette.effect(effect.name).params}
    moved = {name: levels[name] for name, value in effect.params if name in levels and value > 5}
    return structs.replace(effect, params=tuple(sorted({**defaults, **moved}.items())))


def rows_between(before: Song, after: Song, palette) -> tuple[Step, ...]:
    sketch = Sketch(before, palette, Guard(before, ()))
    sketch.become(after, "", "for a reason")
    rows = Rows(before, sketch.guard)
    for _ in RowWriter(sketch, rows).write():
        pass
    return tuple(rows.steps)


def changed(song: Song, data: st.DataObject) -> Song:
    for _ in range(data.draw(st.integers(1, 6))):
        try:
            song = apply(song, data.draw(edits(song)))
        except SongError:
            continue
    return song


def check_rows(before: Song, after: Song, bench: Tools) -> None:
    steps = rows_between(before, after, bench.palette)
    judged = review(Plan(steps=steps, project="p"), before, bench.registry, bench.palette)
    problems = [row.problem for row in judged.preview.rows if row.problem is not None]
    assert not problems, [problem.what for problem in problems]
    assert described(judged.preview.song) == described(after)
    for row in judged.preview.rows:
        assert row.after != row.before, row.step
    made: set[str] = set()
    for step in steps:
        for reference in re.findall(r"\{\{(\w+)\.", str(step.inputs)):
            assert reference in made
        made.add(step.id)
        assert step.title
        assert step.group
    objects = [step.inputs[_OF[step.tool]] for step in steps if step.tool in _OF]
    twice = [one for one, times in Counter(objects).items() if times > 1]
    assert not twice, [(step.tool, step.inputs) for step in steps]
    makers = {f"{{{{{step.id}.{_MAKES[step.tool]}}}}}" for step in steps if step.tool in _MAKES}
    assert not makers & set(objects), "what is made is made right at once"


@quick
@given(songs(), st.data())
def test_rows_turn_the_song_into_its_sketch(tools, song: Song, data: st.DataObject) -> None:
    check_rows(fit(song, tools.palette), fit(changed(song, data), tools.palette), tools)


@quick
@given(songs(), songs())
def test_rows_lead_from_any_song_to_any_other(tools, before: Song, after: Song) -> None:
    check_rows(fit(before, tools.palette), fit(after, tools.palette), tools)


@pytest.mark.parametrize("bars", [4, 8])
def test_clips_that_only_move_say_so_in_one_group(bench, sample, bars):
    from agent.composer.understanding.operations import NewSection
    from agent.composer.understanding.tasks import Task

    steps = proposed(bench, sample, Task(NewSection("intro", bars))).steps
    moved = [step for step in steps if step.tool == "modify_clip"]
    assert len(moved) == 8
    assert {step.group for step in moved} == {"Making room"}
    assert all(set(step.inputs) == {"clip_id", "start_time"} for step in moved)
    assert all(step.title.endswith(f" {bars} bars later") for step in moved)
    places = [number for number, step in enumerate(steps) if step.group == "Making room"]
    assert places == list(range(places[0], places[-1] + 1)), "they stand together"

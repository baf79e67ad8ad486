"""What planners really write is read, and said to have been."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from studio_parts import a_registry, step

from agent.plan.normalise import normalise
from agent.plan.plan import Step

TOOLS = a_registry().tools


def normal(*steps: Step) -> tuple[Step, ...]:
    return normalise(steps, TOOLS).steps


@pytest.mark.parametrize(
    "sloppy",
    [
        "[from Step 1]",
        "[from step 1]",
        "from Step 1",
        "(from step 1)",
        "<from step 1>",
        "[id from Step 1]",
        "{{steps.1.track_id}}",
        "{{step_1.track_id}}",
        "{{step1.track_id}}",
        "{{ Steps.1.track_id }}",
        "{{steps[1].track_id}}",
        "{{step 1.track_id}}",
        "step 1's track",
        "Step 1's track_id",
        "step 1’s track id",
    ],
)
def test_every_sloppy_form_of_the_first_row_s_track(sloppy: str) -> None:
    rows = (
        step("pad", "create_track", {"name": "Pad", "instrument": "pad_warm"}),
        step("clip", "create_midi_clip", {"track_id": sloppy, "start_time": 0, "duration": 4, "notes": []}),
    )
    result = normalise(rows, TOOLS)
    assert result.steps[1].inputs["track_id"] == "{{pad.track_id}}"
    [note] = result.notes
    assert "row clip" in note
    assert sloppy.strip() in note


def test_the_plan_of_the_first_document_is_read() -> None:
    rows = normal(
        step("s1", "create_track", {"name": "Kick Drum", "type": "midi", "instrument": "kick"}),
        step(
            "s2",
            "create_midi_clip",
            {
                "track_id": "[from Step 1]",
                "start_time": 0,
                "duration": 4,
                "notes": [{"n": 36, "s": 0, "d": 0.5, "v": 110}, {"n": 36, "s": 2, "d": 0.5, "v": 110}],
            },
        ),
        step("s3", "add_effect", {"track_id": "[from Step 1]", "effect_name": "reverb"}),
    )
    assert [row.inputs["track_id"] for row in rows[1:]] == ["{{s1.track_id}}"] * 2


def test_an_input_of_another_name_takes_the_field_that_the_row_gives() -> None:
    rows = normal(
        step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"}),
        step("s2", "duplicate_clip", {"clip_id": "c1", "to_track_id": "[from Step 1]"}),
    )
    assert rows[1].inputs["to_track_id"] == "{{s1.track_id}}"


def test_a_loop_is_implied_by_an_item() -> None:
    result = normalise(
        (
            step("s1", "find_tracks", {"family": "drums"}),
            step("s2", "update_track", {"track_id": "{{item.track_id}}", "volume_db": -9}),
        ),
        TOOLS,
    )
    assert result.steps[1].for_each == "{{s1.items}}"
    assert "goes through {{s1.items}}" in result.notes[0]


def test_loops_and_conditions_are_normalised_too() -> None:
    [_, row] = normal(
        step("s1", "find_tracks", {}),
        step(
            "s2",
            "update_track",
            {"track_id": "{{item.track_id}}"},
            for_each="[from Step 1]",
            when={"left": "{{steps.1.items}}", "op": "not_empty"},
        ),
    )
    assert (row.for_each, row.when.left if row.when else "") == ("{{s1.items}}", "{{s1.items}}")


@pytest.mark.parametrize(
    "text",
    [
        "{{s1.track_id}}",
        "Step by step",
        "a step 1's track of tears",
        "{{steps.9.track_id}}",
        "[from Step 0]",
        "tbass",
        "from step 1 to step 2",
    ],
)
def test_what_is_right_or_no_reference_stays_as_it_is(text: str) -> None:
    result = normalise((step("s1", "create_track", {"name": text, "instrument": "x"}),), TOOLS)
    assert (result.steps[0].inputs["name"], result.notes) == (text, ())


def test_a_row_that_is_really_called_step_1_is_meant() -> None:
    rows = normal(
        step("a", "get_song"),
        step("step_1", "create_track", {"name": "x", "instrument": "y"}),
        step("b", "delete_track", {"track_id": "{{step_1.track_id}}"}),
    )
    assert rows[2].inputs["track_id"] == "{{step_1.track_id}}"


def test_normalising_twice_changes_nothing_more() -> None:
    once = normalise((step("s1", "find_tracks"), step("s2", "update_track", {"track_id": "{{item.track_id}}"})), TOOLS)
    twice = normalise(once.steps, TOOLS)
    assert (twice.steps, twice.notes) == (once.steps, ())


def test_rows_are_gone_through_a_few_times_however_many_texts_name_one() -> None:
    class Counted(tuple[Step, ...]):
        times = 0

        def __iter__(self) -> Iterator[Step]:
            Counted.times += 1
            return super().__iter__()

    rows = [step("a", "get_song"), *(step(f"s{n}", "echo", {"x": ["{{a.x}} step 1"] * 50}) for n in range(20))]
    normalise(Counted(rows), TOOLS)
    assert Counted.times <= 3

"""A plan that was written as plain text is read as rows."""

from __future__ import annotations

import pytest
from studio_parts import a_registry

from agent.model_planner.reading.answer import read_answer
from agent.model_planner.reading.text_form import read_text_plan
from agent.plan.normalise import normalise

REGISTRY = a_registry()
TOOLS = tuple(REGISTRY.tools.values())
DOCUMENT = """**ANALYSIS:** The song needs a beat.
**PLAN:**
Step 1: create_track - Create "Kick Drum" track
  - name: "Kick Drum"
  - type: "midi"
  - instrument: "kick"

Step 2: create_midi_clip - Add kick pattern
  - track_id: [from Step 1]
  - start_time: 0
  - duration: 4
  - notes: [{n: 36, s: 0, d: 0.5, v: 110}, {n: 36, s: 2, d: 0.5, v: 110}]

Step 3: add_effect - Add reverb
  - track_id: [from Step 1]
  - effect_name: "reverb"

**MUSICAL REASONING:** Four on the floor.
It drives.
"""


def test_the_plan_of_the_first_document() -> None:
    answer = read_answer(DOCUMENT, TOOLS)
    rows = normalise(answer.draft.steps, REGISTRY.tools).steps
    assert [(row.id, row.tool, row.title) for row in rows] == [
        ("s1", "create_track", 'Create "Kick Drum" track'),
        ("s2", "create_midi_clip", "Add kick pattern"),
        ("s3", "add_effect", "Add reverb"),
    ]
    assert rows[0].inputs == {"name": "Kick Drum", "type": "midi", "instrument": "kick"}
    assert rows[1].inputs == {
        "track_id": "{{s1.track_id}}", "start_time": 0, "duration": 4,
        "notes": [{"n": 36, "s": 0, "d": 0.5, "v": 110}, {"n": 36, "s": 2, "d": 0.5, "v": 110}],
    }
    assert rows[2].inputs == {"track_id": "{{s1.track_id}}", "effect_name": "reverb"}
    assert answer.draft.analysis == "The song needs a beat."
    assert answer.draft.musical_reasoning == "Four on the floor.\nIt drives."
    assert answer.draft.normalised == ("the plan was written as text and read as 3 rows",)


@pytest.mark.parametrize(
    "head",
    [
        "Step 1: set_tempo - slower", "**Step 1: set_tempo** - slower", "### Step 1: set_tempo — slower",
        "step 1. `set_tempo`: slower", "1. set_tempo - slower", "1) **set_tempo** – slower",
        "STEP 1 - Set_Tempo - slower",
    ],
)
@pytest.mark.parametrize(
    "line", ["  - bpm: 80", "   * **bpm**: 80", "bpm = 80", "- `bpm`: `80`", "  Parameters:\n    - bpm: 80"]
)
def test_usual_ways_to_write_a_step(head: str, line: str) -> None:
    plan = read_text_plan(f"Here is my plan.\n\n{head}\n{line}\n", TOOLS)
    assert plan is not None
    [row] = plan.draft.steps
    assert (row.id, row.tool, row.inputs, row.title) == ("s1", "set_tempo", {"bpm": 80}, "slower")


@pytest.mark.parametrize(
    "notes",
    [
        "notes:\n    - {n: 60, s: 0, d: 4, v: 70}\n    - {n: 64, s: 4, d: 4, v: 70}",
        "notes: [\n  {\"n\": 60, \"s\": 0, \"d\": 4, \"v\": 70},\n  {\"n\": 64, \"s\": 4, \"d\": 4, \"v\": 70}\n  ]",
        "notes: [[60, 0, 4, 70], [64, 4, 4, 70]]",
    ],
)
def test_notes_over_many_lines(notes: str) -> None:
    head = "Step 1: create_midi_clip\n - track_id: t1\n - start_time: 0\n - duration: 8"
    plan = read_text_plan(f"{head}\n - {notes}\nStep 2: get_song\n", TOOLS)
    assert plan is not None
    assert [row.tool for row in plan.draft.steps] == ["create_midi_clip", "get_song"]
    expected = [{"n": 60, "s": 0, "d": 4, "v": 70}, {"n": 64, "s": 4, "d": 4, "v": 70}]
    assert plan.draft.steps[0].inputs["notes"] == expected


def test_a_step_without_a_tool_stays_a_row_for_the_check_to_name() -> None:
    plan = read_text_plan("Step 1: set_tempo\n - bpm: 80\nStep 2: Modify existing clip\n", TOOLS)
    assert plan is not None
    assert [row.tool for row in plan.draft.steps] == ["set_tempo", "Modify existing clip"]


@pytest.mark.parametrize("text", ["", "Hello.", "1. Eggs\n2. Milk\n", "Step 1: Think\nStep 2: Rest\n"])
def test_other_texts_are_no_plan(text: str) -> None:
    assert read_text_plan(text, TOOLS) is None

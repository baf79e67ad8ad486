"""An answer that was cut off arrives whole, however the model goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sample_plan import sample_steps

from agent.model_planner.reading.answer_scanner import scanned
from agent.model_planner.reading.splicing import is_whole, resume_words, spliced, tail_for_continuation

LEAST = 60
WORDS = (
    "warm", "pad", "the", "kick", "drives", "it", "softly", "in C", "“wide”", 'a "dry" one', "é", "line\nbreak", "\\",
)


def a_plan(steps: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "understood": ["a slow tune", "with drums"], "analysis": "The song is empty.",
        "musical_reasoning": "Minor, with air between the notes.", "ignored": [], "question": None, "steps": steps,
    }


def numbered(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**step, "id": f"s{number}", "why": f"reason {number}"} for number, step in enumerate(steps, 1)]


SAMPLE = a_plan(numbered(sample_steps()))
EXACT, REPEATS, LINES, ROW, OBJECT, LIST = "exact", "repeats", "lines", "row", "object", "list"
MANNERS = (EXACT, REPEATS, LINES, ROW, OBJECT, LIST)
OPENINGS = ("", "Sure, continuing:\n", "```json\n", "Here is the rest of the plan:\n\n```json\n", "...")


def row_begin(text: str, cut: int) -> int | None:
    """Where the row that is open at the cut begins, or the next one."""
    rows = scanned(text).rows
    return next((row.start for row in rows if row.end is not None and row.end > cut), None)


def continuation(text: str, cut: int, end: int, manner: str, opening: str, size: int) -> str:
    """What a model in that manner writes after the text was cut."""
    rest = text[cut:end]
    begin = row_begin(text, cut)
    outline = scanned(text)
    assert outline.row_list is not None
    if manner == REPEATS:
        rest = text[max(0, cut - size):end]
    elif manner == LINES:
        rest = text[text.rfind("\n", 0, max(0, cut - size)) + 1:end]
    elif manner == ROW and begin is not None and cut > outline.row_list.start:
        rest = text[begin:end]
    elif manner in (OBJECT, LIST) and begin is not None and cut > outline.row_list.start:
        rest = ("[" if manner == LIST else '{"steps": [') + text[begin:end]
        if manner == LIST and end == len(text):
            rest = rest.rstrip().removesuffix("}")
    elif manner in (OBJECT, LIST):
        rest = text[:end]
    # A model that opens with words does not do so in the middle of one: the line begins with what follows.
    return opening + rest + ("\n```" if "```" in opening and end == len(text) else "")


def joined(text: str, cuts: list[int], manners: list[tuple[str, str, int]]) -> str:
    so_far = text[:cuts[0]]
    for cut, end, (manner, opening, size) in zip(cuts, [*cuts[1:], len(text)], manners, strict=False):
        so_far = spliced(so_far, continuation(text, cut, end, manner, opening, size))
    return so_far


def the_plan(text: str) -> Any:
    root = scanned(text).root
    assert root is not None
    return json.loads(text[root.start:root.end])


manner = st.tuples(st.sampled_from(MANNERS), st.sampled_from(OPENINGS), st.integers(40, 400))


@st.composite
def cuts_of(draw: st.DrawFn, length: int) -> list[int]:
    count = draw(st.integers(1, 3))
    cuts = sorted(draw(st.lists(st.integers(1, length - 1), min_size=count, max_size=count)))
    return [cut for place, cut in enumerate(cuts) if place == 0 or cut - cuts[place - 1] >= LEAST]


def a_note(number: int) -> dict[str, Any]:
    return {"n": 36 + number % 40, "s": number / 4, "d": 0.25, "v": 60 + number % 60}


@st.composite
def plans(draw: st.DrawFn) -> dict[str, Any]:
    """Plans whose texts hold quotes, breaks and brackets, with rows of very different sizes."""
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
    steps = []
    for number in range(1, draw(st.integers(2, 8)) + 1):
        notes = [a_note(place) for place in range(draw(st.integers(0, 12)))]
        inputs = {"track_id": "{{s1.track_id}}", "start_time": number * 4, "name": draw(words), "notes": notes}
        steps.append({
            "tool": "create_midi_clip", "id": f"s{number}", "title": draw(words), "group": "", "why": draw(words),
            "inputs": inputs, "after": [], "when": None,
        })
    return a_plan(steps)


whole_plans = st.one_of(st.just(SAMPLE), plans())


@settings(
    max_examples=examples(200), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(
    data=st.data(), plan=whole_plans, indent=st.sampled_from([None, 1, 2]),
    words=st.sampled_from(["", "Here:\n```json\n"]),
)
def test_a_plan_that_was_cut_up_to_three_times_arrives_whole(
    data: st.DataObject, plan: dict[str, Any], indent: int | None, words: str
) -> None:
    text = words + json.dumps(plan, indent=indent, ensure_ascii=data.draw(st.booleans()))
    cuts = [max(cut, len(words) + 2) for cut in data.draw(cuts_of(len(text)))]
    manners = data.draw(st.lists(manner, min_size=3, max_size=3))
    assert the_plan(joined(text, cuts, manners)) == plan


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("manner_name", MANNERS)
def test_each_manner_within_a_list_of_notes_loses_and_repeats_none(manner_name: str, opening: str) -> None:
    text = json.dumps(SAMPLE)
    cut = text.index('"s": 12.5') + 7
    rest = continuation(text, cut, len(text), manner_name, opening, 90)
    assert the_plan(spliced(text[:cut], rest)) == SAMPLE


def test_a_row_that_is_written_anew_in_other_words_replaces_the_begun_one() -> None:
    before = '{"steps": [{"id": "s1", "tool": "set_tempo"}, {"id": "s2", "tool": "set_key", "why": "da'
    after = '{"id": "s2", "tool": "set_key", "why": "moody", "inputs": {"tonic": "A", "mode": "minor"}}]}'
    assert [step.get("why") for step in json.loads(spliced(before, after))["steps"]] == [None, "moody"]


def test_rows_that_come_again_in_other_words_are_dropped() -> None:
    before = '{"analysis": "x", "steps": [{"id": "s1", "tool": "set_tempo", "inputs": {"bpm": 90}}, '
    after = '{"analysis": "y", "steps": [{"id": "s1", "tool": "set_tempo", "inputs": {}}, {"id": "s2", "tool": "t"}]}'
    assert json.loads(spliced(before, after)) == {
        "analysis": "x", "steps": [{"id": "s1", "tool": "set_tempo", "inputs": {"bpm": 90}}, {"id": "s2", "tool": "t"}]
    }


@pytest.mark.parametrize(
    "after",
    [
        "I am sorry, I cannot go on.",
        '{"steps": [{"id": "s3", "tool": "set_key", "inputs": {}}]}',
        '{"id": "s3", "tool": "set_key", "inputs": {}}]}',
        "}}}}]]]",
    ],
)
def test_what_cannot_be_joined_without_a_loss_adds_nothing(after: str) -> None:
    before = '{"steps": [{"id": "s1", "tool": "t", "inputs": {}}, {"id": "s2", "tool": "set_tempo", "inputs": {"bpm": 9'
    assert spliced(before, after) == before


def test_a_missing_or_doubled_comma_at_the_seam_is_mended() -> None:
    row, last = '{"id": "s1", "tool": "t"}', '{"id": "s2", "tool": "t"}'
    for before, after in ((row, last), (row + ",", "," + last), (row + ",", last), (row, "," + last)):
        assert len(json.loads(spliced('{"steps": [' + before, after + "]}"))["steps"]) == 2
    note = '{"n": 60, "s": 1, "d": 1, "v": 90}'
    for before, after in (("", '{"n": 62, "s": 2, "d": 1, "v": 90}'), (",", ',{"n": 62, "s": 2, "d": 1, "v": 90}')):
        begun = '{"steps": [{"id": "s1", "tool": "t", "inputs": {"notes": [' + note + before
        whole = spliced(begun, after + "]}}]}")
        assert len(json.loads(whole)["steps"][0]["inputs"]["notes"]) == 2


def test_digits_that_repeat_are_no_repetition() -> None:
    text = json.dumps({"steps": [{"id": "s1", "tool": "t", "inputs": {"bpm": 133.33333333333334}}]})
    for cut in range(text.index("133"), text.index("}")):
        assert json.loads(spliced(text[:cut], text[cut:])) == json.loads(text)


def test_the_same_note_once_more_right_after_the_cut_is_a_repetition() -> None:
    note = '{"n": 60, "s": 1, "d": 1, "v": 90}'
    before = '{"steps": [{"id": "s1", "tool": "t", "inputs": {"notes": [' + note + ", "
    last = '{"n": 62, "s": 2, "d": 1, "v": 90}'
    notes = json.loads(spliced(before, f"{note}, {last}]}}}}]}}"))["steps"][0]["inputs"]["notes"]
    assert notes == [json.loads(note), json.loads(last)]


def test_faults_far_behind_the_seam_do_not_hinder_the_joining() -> None:
    text = json.dumps(SAMPLE)
    sloppy = text[:-1] + ",}"
    assert spliced(sloppy[:900], sloppy[900:]) == sloppy


def test_plain_text_is_joined_without_the_lines_that_come_again() -> None:
    text = "Step 1: set_tempo - slow\n  - bpm: 80\nStep 2: set_key - minor\n  - tonic: A\n  - mode: minor\n"
    assert spliced(text[:60], text[60:]) == text
    assert spliced(text[:60], text[25:]) == text


def test_an_answer_is_whole_only_at_its_end() -> None:
    text = json.dumps(SAMPLE)
    assert is_whole(text)
    assert is_whole(f"Here it is:\n```json\n{text}\n```\nEnjoy!")
    assert not any(is_whole(text[:cut]) for cut in range(1, len(text), 401))
    assert not is_whole("")
    assert not is_whole("I am sorry.")
    assert not is_whole("Step 1: set_tempo - slow\n  - bpm: 80")
    assert is_whole("Step 1: set_tempo - slow\n  - bpm: 80\n\n**MUSICAL REASONING:** It breathes.")


def test_the_model_is_told_which_row_and_how_many_notes_have_arrived() -> None:
    text = json.dumps(SAMPLE)
    words = resume_words(text[:text.index('"s": 12.5')])
    assert '3 rows are complete; the last one is "s3"' in words
    notes = json.loads(text)["steps"][3]["inputs"]["notes"]
    assert f'row "s4" has begun, with {notes.index({"n": 42, "s": 12.5, "d": 0.2, "v": 70})} complete notes' in words
    assert text[:text.index('"s": 12.5')][-60:] in words
    assert "It ends with" in resume_words('{"anal')


def test_the_tail_is_an_end_of_the_text() -> None:
    text = json.dumps(SAMPLE)
    tail = tail_for_continuation(text, characters=300)
    assert text.endswith(tail)
    assert tail.startswith("{")
    assert tail_for_continuation("short") == "short"

"""The plan as rows: identity, order, what falls with what, words and states."""

from __future__ import annotations

from collections.abc import Mapping

from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from stages import palette, song_tools

from agent.plan.decision import Change, Reject
from agent.plan.document import Finding, Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Step
from agent.review.decide import decided
from agent.review.review import Review, review
from agent.session.run_state import RunState
from agent.song.ids import RunId
from agent.song.song import Song
from app.viewmodels.plan.decisions import to_take_in
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.proposal import Proposal, blocked
from app.viewmodels.plan.row_previews import MAX_DRAWN, NewTrack, Notes, ValueChange, notes_drawing
from app.viewmodels.plan.row_reader import RowReader
from app.viewmodels.plan.row_states import ItemProgress, RowMark, RowProgress, ran
from app.viewmodels.plan.row_stories import item_words
from app.viewmodels.plan.rows import PlanTable, place_beside
from app.viewmodels.plan.sentences import changes_text
from app.viewmodels.plan.summary import about, ledger_of, totals

REGISTRY, PALETTE, SONG = song_tools(), palette(), Song()
NOTES = [{"n": 60 + n, "s": n, "d": 1, "v": 90} for n in range(4)]
STEPS = (
    Step("s1", "set_tempo", {"bpm": 84.0}, group="Frame"),
    Step("s2", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Harmony"),
    Step("s3", "create_midi_clip",
         {"track_id": "{{s2.track_id}}", "start_time": 32, "duration": 64, "notes": NOTES}, group="Harmony"),
    Step("s4", "set_loudness", {"target": -18.0}, group="Frame", title="Quieter"),
)


def proposal(
    steps: tuple[Step, ...] = STEPS, rejections: Mapping[str, Reject] | None = None,
    changes: Mapping[str, Change] | None = None,
) -> Proposal:
    plan = Plan(steps)
    changed, gone = changes or {}, rejections or {}
    whole = review(decided(plan, list(changed.values())), SONG, REGISTRY, PALETTE)
    kept = decided(plan, [*changed.values(), *gone.values()])
    judged = review(kept, SONG, REGISTRY, PALETTE) if kept.steps else Review(kept, None)
    return Proposal(plan, whole, judged, SONG, changed, gone)


def table(source: Proposal | LiveRun) -> PlanTable:
    reader = RowReader(REGISTRY, PALETTE)
    return reader.proposal(source) if isinstance(source, Proposal) else reader.live(source)


def live(
    rows: Mapping[str, RowProgress], state: RunState = RunState.RUNNING, origin: Proposal | None = None
) -> LiveRun:
    plan = (origin or proposal()).judged.plan
    return LiveRun(RunId("r1"), plan, state, {step.id: rows.get(step.id, RowProgress()) for step in plan.steps}, origin)


def texts(shown: PlanTable) -> dict[str, str]:
    return {row.id: row.standing.text for row in shown.rows}


def test_rows_keep_the_plans_numbers_within_groups_in_order_of_first_mention() -> None:
    shown = table(proposal())
    assert [(group.name, [row.facts.number for row in group.rows]) for group in shown.groups] == [
        ("Frame", [1, 4]), ("Harmony", [2, 3]),
    ]
    assert [row.id for row in shown.rows] == ["s1", "s2", "s3", "s4"]


def test_a_row_that_moves_changes_places_in_its_group_and_joins_the_next_at_its_edge() -> None:
    shown = table(proposal())
    assert place_beside(shown, "s1", 1) == ("s4", True)
    assert place_beside(shown, "s3", -1) == ("s2", False)
    assert place_beside(shown, "s4", 1) == ("s2", False), "first of the group below"
    assert place_beside(shown, "s2", -1) == ("s4", True), "last of the group above"
    assert place_beside(shown, "s1", -1) is None
    assert place_beside(shown, "s3", 1) is None
    assert place_beside(shown, "s9", 1) is None, "not shown"


def test_a_row_says_in_plain_words_what_it_does_and_where() -> None:
    rows = {row.id: row.facts for row in table(proposal()).rows}
    assert rows["s1"].sentence == "Slow the song from 120 to 84 BPM"
    assert rows["s1"].drawing == ValueChange("120", "84")
    assert rows["s2"].sentence.startswith("Add a track, “Pad”, played on ")
    assert rows["s2"].drawing == NewTrack()
    assert rows["s3"].sentence == "Write 4 notes, bars 9–24"
    assert rows["s3"].start == 32 * 960
    assert (rows["s3"].target.name, rows["s3"].target.new) == ("Pad", True)
    assert rows["s3"].depends_on == "step 2"
    assert (rows["s4"].sentence, rows["s4"].effect) == ("Quieter", "Bring the mix to −18 LUFS")
    assert rows["s4"].depends_on == "–"


def test_an_edited_row_no_longer_bears_a_title_that_spoke_of_other_inputs() -> None:
    shown = table(proposal(changes={"s4": Change("s4", {"target": -20.0})}))
    row = shown.rows[3]
    assert (row.facts.sentence, row.edited, row.standing.text) == ("Bring the mix to −20 LUFS", True, "Edited by you")


def test_a_rejected_row_blocks_what_needs_it_and_the_group_is_half_checked() -> None:
    left_out = proposal(rejections={"s2": Reject("s2")})
    shown = table(left_out)
    assert texts(shown) == {"s1": "Proposed", "s2": "Rejected", "s3": "Needs step 2", "s4": "Proposed"}
    assert [group.approved for group in shown.groups] == [True, False]
    assert isinstance(shown.rows[2].facts.drawing, Notes), "it still shows what it would have written"
    assert to_take_in(left_out, ["s3"]) == ("s2",)
    half = table(proposal(rejections={"s1": Reject("s1")}))
    assert half.groups[0].approved is None


def test_with_no_row_left_everything_is_rejected_and_nothing_is_reached() -> None:
    gone = proposal(rejections={step.id: Reject(step.id) for step in STEPS})
    found = totals(table(gone), gone, REGISTRY)
    assert (found.approved, found.left_out, found.reach) == (0, 4, "")


def test_marks_stand_on_their_rows_and_errors_are_told_apart() -> None:
    twice = [*NOTES, {"n": 60, "s": 0.5, "d": 1, "v": 90}]
    clip = replace(STEPS[2], inputs={**STEPS[2].inputs, "notes": twice})
    wrong = Step("s5", "delete_clip", {"clip_id": "cgone"}, group="Frame")
    one = proposal((*STEPS[:2], clip, wrong))
    shown = table(one)
    assert texts(shown)["s3"] == "Overlap"
    assert shown.rows[2].standing.mark is RowMark.CHECK
    assert (shown.rows[3].standing.mark, shown.rows[3].standing.text) == (RowMark.ERROR, "Would fail")
    found = totals(shown, one, REGISTRY)
    assert found.check == 2


def test_totals_say_what_the_plan_reaches() -> None:
    one = proposal()
    found = totals(table(one), one, REGISTRY)
    assert (found.steps, found.approved, found.cost) == (4, 4, "free, runs on this computer")
    assert found.reach == "Changes 1 track, bars 1–24. You can undo it."
    clip = replace(STEPS[2], inputs={**STEPS[2].inputs})
    only = proposal((STEPS[1], clip))
    assert only.judged.preview is not None
    assert changes_text(SONG, only.judged.preview.song, only.judged.preview.changes) == "Changes 1 track, bars 9–24."


def test_a_run_shows_every_state_in_words() -> None:
    one = proposal()
    shown = table(live({
        "s1": RowProgress(StepState.DONE, seconds=0.4), "s2": RowProgress(StepState.RUNNING, share=0.5),
    }, origin=one))
    assert texts(shown) == {"s1": "Done", "s2": "Running", "s3": "Waits for step 2", "s4": "Queued"}
    assert [group.summary for group in shown.groups] == ["1 done, 1 to go", "1 running, 1 to go"]
    bad = table(live({
        "s1": RowProgress(StepState.FAILED, "no"), "s2": RowProgress(StepState.NEEDS_REVIEW),
        "s3": RowProgress(StepState.NOT_RUN, "not reached"), "s4": RowProgress(StepState.SKIPPED),
    }, RunState.FAILED, one))
    assert texts(bad) == {"s1": "Failed, tried 1×", "s2": "Needs you", "s3": "Not run", "s4": "Skipped"}
    assert [row.id for row in bad.rows if row.standing.mark.bad] == ["s1", "s2"]
    again = RowProgress(StepState.RUNNING, retries=2, again_in=4.0)
    assert ran(again, Step("x", "set_tempo", retry=3), None).text == "Retry 2 of 3 in 4 s"
    third = RowProgress(StepState.DONE, retries=2)
    assert ran(third, Step("x", "set_tempo", retry=3), None).text == "Done, 3rd try"


def test_rows_that_were_left_out_stay_visible_beside_the_run() -> None:
    one = proposal(rejections={"s2": Reject("s2")})
    shown = table(live({"s1": RowProgress(StepState.DONE)}, origin=one))
    assert texts(shown) == {"s1": "Done", "s2": "Rejected", "s3": "Needs step 2", "s4": "Queued"}
    assert [(entry.word, entry.count) for entry in ledger_of(shown)] == [("approved", 2), ("done", 1), ("waiting", 1)]


def test_a_run_without_its_proposal_still_has_its_rows() -> None:
    shown = table(live({}))
    assert shown.rows[0].facts.sentence == "Set tempo: bpm 84"
    assert shown.rows[2].facts.target.name == "of step 2"


def test_an_event_changes_only_the_row_that_it_is_about() -> None:
    reader, one = RowReader(REGISTRY, PALETTE), proposal()
    first = live({}, origin=one)
    before = reader.live(first)
    after = reader.live(replace(first, rows={**first.rows, "s1": RowProgress(StepState.RUNNING)}))
    assert [a is b for a, b in zip(before.rows, after.rows, strict=True)] == [False, True, True, True]


@given(st.lists(st.dictionaries(
    st.sampled_from("nsdvx"), st.one_of(st.integers(-200, 200), st.text(max_size=2), st.booleans(), st.none()),
), max_size=400), st.integers(-1, 50))
def test_drawn_notes_lie_within_the_drawing_whatever_they_are_made_of(notes: list[object], length: int) -> None:
    drawn = notes_drawing(notes, length).notes
    assert len(drawn) <= MAX_DRAWN
    assert all(0 <= part <= 1 for note in drawn for part in note)


graphs = st.integers(1, 12).flatmap(lambda size: st.tuples(
    st.tuples(*(st.frozensets(st.integers(0, max(0, row - 1)), max_size=3 if row else 0) for row in range(size))),
    st.frozensets(st.integers(0, size - 1)),
))


@given(graphs)
@settings(max_examples=examples(60))
def test_exactly_the_rows_that_fall_are_those_that_the_plan_would_drop(graph: tuple[object, ...]) -> None:
    needs, gone = graph
    assert isinstance(needs, tuple)
    assert isinstance(gone, frozenset)
    steps = tuple(
        Step(f"s{row}", "set_tempo", {"bpm": 90.0}, after=tuple(f"s{one}" for one in sorted(sources)))
        for row, sources in enumerate(needs)
    )
    kept = {step.id for step in decided(Plan(steps), [Reject(f"s{one}") for one in gone]).steps}
    rejected = frozenset(f"s{one}" for one in gone)
    fallen = blocked([step.id for step in steps], {step.id: frozenset(step.after) for step in steps}, rejected)
    assert set(fallen) == {step.id for step in steps} - kept - rejected
    assert set(fallen.values()) <= rejected


def test_findings_without_a_row_belong_to_the_plan() -> None:
    one = proposal()
    judged = replace(one.judged, plan=replace(one.judged.plan, lint=(Finding("", "request", "asked for 90 BPM"),)))
    marked = replace(one, judged=judged)
    assert "asked for 90 BPM" in about(marked)
    assert not any(row.findings for row in table(marked).rows)


def test_an_item_is_named_once() -> None:
    told = [item_words(ItemProgress(StepState.FAILED, reason, name=name)) for name, reason in (
        ("machine booth", "the connection was refused"), ("machine booth", "machine booth does not answer in time"),
        ("", "it is full"), ("machine booth", ""),
    )]
    assert told == ["machine booth: the connection was refused", "machine booth does not answer in time",
                    "an item: it is full", "machine booth: failed"]

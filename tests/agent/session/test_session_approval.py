"""From words to an approval to a run: what is refused on the way, and what is said at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from studio_parts import (
    BASS,
    CHORDS,
    PAD,
    Bench,
    FastCancellation,
    Studio,
    a_plan,
    a_registry,
    a_song,
    a_tool,
    small_rows,
    step,
    the_palette,
)

from agent.errors import Blame
from agent.plan.decision import Approval
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.plan import Ask, Draft, Step
from agent.plan.planning import (
    Brief,
    ClarifyingChoice,
    ClarifyingQuestion,
    DraftReady,
    PlannerEvent,
    StepProposed,
    Thinking,
)
from agent.session.session import Ended, NotApproved, Session
from agent.song.locks import TrackLock
from agent.song.revision import song_revision

REVISION = song_revision(a_song())
SECRET = "sk-ant-" + "a1b2c3d4" * 3
SECRET_WORDS = f"use {SECRET}"


class Script:
    """A planner that says what it was told to."""

    name = "script"

    def __init__(self, *events: PlannerEvent) -> None:
        self._events = events

    async def plan(self, brief: Brief) -> AsyncIterator[PlannerEvent]:
        """Say it."""
        for event in self._events:
            yield event


class Other(Bench):
    """A service that no one may approve in advance."""

    name = "files"

    def __init__(self) -> None:
        super().__init__()
        self.tools = (a_tool("write", self.name, effect="files"),)


class Quiet(Other):
    """The versions service, as far as its name goes."""

    name = "versions"

    def __init__(self) -> None:
        super().__init__()
        self.tools = (a_tool("keep", self.name, effect="database"),)


SESSION = Session(Script(), a_registry(Other(), Quiet()), the_palette())


def brief(request: str = "warm keys") -> Brief:
    return Brief(request, a_song(), the_palette(), (), 7)


def judged(*rows: Step, **fields: Any) -> Any:
    return SESSION.judge(a_plan(*rows, **fields), a_song())


def test_a_request_becomes_a_judged_plan_and_changes_nothing() -> None:
    before = msgspec.json.encode(a_song())
    heard: list[PlannerEvent] = []
    rows = small_rows()
    planner = Script(Thinking("hm"), StepProposed(rows[0]), DraftReady(Draft(rows, "a", "m", ("warm",), ("loud",))))
    review = asyncio.run(
        Session(planner, a_registry(), the_palette()).propose(brief(), "pproject", REVISION, heard.append)
    )
    assert not isinstance(review, ClarifyingQuestion)
    assert (review.plan.provider, review.plan.seed, review.plan.request) == ("script", 7, "warm keys")
    assert (review.plan.understood, review.plan.ignored, review.plan.song_revision) == (("warm",), ("loud",), REVISION)
    assert len(review.plan.hash) == 64
    assert [type(event).__name__ for event in heard] == ["Thinking", "StepProposed", "DraftReady"]
    assert msgspec.json.encode(a_song()) == before


def test_a_question_is_passed_on() -> None:
    question = ClarifyingQuestion("Which track?", (ClarifyingChoice("Bass", "louder bass"),))
    assert (
        asyncio.run(Session(Script(question), a_registry(), the_palette()).propose(brief(), "p", REVISION)) == question
    )


@pytest.mark.parametrize(
    ("events", "words"), [((), "ended without a plan"), ((DraftReady(Draft(())),), "no rows")]
)
def test_nothing_to_do_is_said(events: tuple[PlannerEvent, ...], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        asyncio.run(Session(Script(*events), a_registry(), the_palette()).propose(brief("x"), "p", REVISION))


def test_too_many_rows_are_refused() -> None:
    with pytest.raises(PlanError, match="2,001 rows"):
        judged(*(step(f"s{n}", "get_song") for n in range(2001)))


@pytest.mark.semantics("1.3")
@pytest.mark.parametrize("field", ["request", "analysis", "provider", "planning"])
def test_a_secret_in_the_words_of_a_plan_is_refused(field: str) -> None:
    with pytest.raises(PlanError, match="password, token or key") as refusal:
        judged(*small_rows(), **{field: f"with {SECRET}"})
    assert SECRET not in str(refusal.value)


@pytest.mark.parametrize("fields", [
    {"understood": ("x", SECRET_WORDS)}, {"ignored": (SECRET_WORDS,)}, {"normalised": (SECRET_WORDS,)},
    {"asks": (Ask(SECRET_WORDS),)}, {"asks": (Ask("darker", value=SECRET_WORDS),)},
])
def test_so_is_one_in_its_lists(fields: dict[str, Any]) -> None:
    with pytest.raises(PlanError, match="password, token or key"):
        judged(*small_rows(), **fields)


def test_an_approval_is_for_this_hash_and_this_song() -> None:
    review = judged(*small_rows())
    approval = SESSION.approve(review, review.plan.hash, REVISION)
    assert (approval.hash, approval.song_revision, approval.by) == (review.plan.hash, REVISION, "person")
    assert approval.at.endswith("Z")
    assert msgspec.json.decode(msgspec.json.encode(approval), type=Approval) == approval


@pytest.mark.parametrize("given", ["", "0" * 64, "{hash}0", " {hash}"])
@pytest.mark.semantics("1.3")
def test_another_hash_approves_nothing(given: str) -> None:
    review = judged(*small_rows())
    with pytest.raises(NotApproved, match="another plan") as refusal:
        SESSION.approve(review, given.format(hash=review.plan.hash), REVISION)
    assert refusal.value.blame is Blame.APPROVAL


def test_the_hash_of_a_plan_from_which_a_row_was_taken_approves_nothing() -> None:
    shown = judged(*small_rows())
    with pytest.raises(NotApproved, match="another plan"):
        SESSION.approve(judged(*small_rows()[:-1]), shown.plan.hash, REVISION)


def test_a_hash_written_into_the_file_is_not_believed() -> None:
    shown = judged(*small_rows())
    forged = SESSION.judge(
        replace(a_plan(step("s1", "delete_track", {"track_id": BASS})), hash=shown.plan.hash), a_song()
    )
    with pytest.raises(NotApproved):
        SESSION.approve(forged, shown.plan.hash, REVISION)


@pytest.mark.semantics("1.3", "9.3")
def test_a_song_that_has_changed_since_voids_the_approval() -> None:
    review = judged(*small_rows())
    with pytest.raises(NotApproved, match="the song has changed"):
        SESSION.approve(review, review.plan.hash, "0" * 64)


@pytest.mark.parametrize(
    "row",
    [
        step("s1", "nope"),
        step("s1", "set_tempo", {"bpm": 0}),
        step("s1", "delete_clip", {"clip_id": "cgone"}),
        step("s1", "update_track", {"track_id": PAD, "pan": 1}),
    ],
)
@pytest.mark.semantics("1.2")
def test_a_plan_with_errors_cannot_be_approved_by_anyone(row: Step) -> None:
    review = judged(row, locks=(TrackLock(PAD),))
    with pytest.raises(PlanError):
        SESSION.approve(review, review.plan.hash, REVISION)
    with pytest.raises(PlanError):
        SESSION.approve_in_advance(review)


def test_the_first_error_names_its_row_and_how_many_others_have_some() -> None:
    review = judged(step("good", "set_tempo", {"bpm": 90}), step("fast", "set_tempo", {"bpm": 0}), step("odd", "nope"))
    with pytest.raises(PlanError) as refused:
        SESSION.approve_in_advance(review)
    assert refused.value.why == "row fast: inputs; 1 more row has errors"


def test_yes_covers_song_and_versions_and_nothing_outside() -> None:
    review = judged(*small_rows(), step("s4", "keep"))
    assert SESSION.approve_in_advance(review).by == "in advance by --yes"
    for row, why in (
        (step("s4", "write"), "the service files"),
        (step("s4", "work_on", {"tools": ["set_key"]}, by="model", goal="darker", max_edits=1), "a model"),
    ):
        review = judged(*small_rows(), row)
        with pytest.raises(NotApproved, match=r"row s4") as refusal:
            SESSION.approve_in_advance(review)
        assert why in refusal.value.why
        assert review.plan.hash in refusal.value.advice
        assert SESSION.approve(review, review.plan.hash, REVISION).by == "person"


def carried_out(plan: Plan, **fields: Any) -> tuple[Ended, Studio]:
    studio = Studio(a_song())
    cancellation = fields.pop("cancellation", FastCancellation())
    session = Session(Script(), a_registry(Bench()), the_palette())
    return asyncio.run(session.run("rrun", plan, a_song(), studio, studio, cancellation, **fields)), studio


@pytest.mark.semantics("8.5")
def test_the_answer_says_what_was_asked_which_rows_served_it_and_what_was_measured() -> None:
    plan = a_plan(
        step("s1", "set_tempo", {"bpm": 90}),
        step("s2", "delete_clip", {"clip_id": "cgone"}, on_error="continue"),
        asks=(Ask("90 BPM", ("s1",), "tempo", "equals", 90.0), Ask("fewer notes", ("s2",), "notes:pad", "lower"),
              Ask("nicer", ("s1",))),
        locks=(TrackLock(BASS),),
    )
    ended, studio = carried_out(plan)
    assert ended.state == "PARTIAL"
    tempo, notes, nicer = ended.answer.measured
    assert (tempo.before, tempo.after, tempo.met, tempo.steps) == (120, 90, True, ("s1",))
    assert (notes.before, notes.after, notes.met, notes.steps) == (3, 3, False, ())
    assert (nicer.after, nicer.mark) == (None, "•"), "a tick is for what was measured"
    [proof] = ended.answer.locks
    assert (proof.target, proof.equal, proof.before) == ("track Bass", True, proof.after)
    for words in (
        "of 2 approved rows 1 are done, 1 failed",
        "s2: failed: there is no clip",
        "✓ 90 BPM: tempo 120 → 90 (rows s1)",
        "✗ fewer notes",
        "• nicer: not measured (rows s1)",
        "track Bass is locked and unchanged",
    ):
        assert words in ended.answer.text
    assert [type(event).__name__ for event in studio.events][:2] == ["RunStarted", "Executing"]


@pytest.mark.semantics("7.1")
def test_a_cancelled_run_keeps_what_was_done() -> None:
    class Cancelling(Studio):
        async def commit(self, edits: Any, report: Any) -> None:
            await super().commit(edits, report)
            cancellation.cancel()

    cancellation = FastCancellation()
    studio = Cancelling(a_song())
    plan = a_plan(
        step("s1", "set_tempo", {"bpm": 90}), step("s2", "transform_clip", {"clip_id": CHORDS, "operation": "reverse"})
    )
    session = Session(Script(), a_registry(), the_palette())
    ended = asyncio.run(session.run("rrun", plan, a_song(), studio, studio, cancellation))
    assert (ended.state, ended.ledger.done, ended.ledger.not_run, studio.song.tempos[0].bpm) == ("CANCELLED", 1, 1, 90)
    assert "s2: not run: cancelled" in ended.answer.text


def test_a_run_that_is_taken_up_again_says_so() -> None:
    rows = (step("s1", "set_tempo", {"bpm": 90}), step("s2", "set_tempo", {"bpm": 91}))
    first, _ = carried_out(a_plan(*rows))
    ended, studio = carried_out(a_plan(*rows), past=first.reports[:1])
    assert studio.events[0].resumed  # type: ignore[union-attr]
    assert (ended.state, ended.ledger.done) == ("COMPLETED", 2)
    assert studio.song.tempos[0].bpm == 91

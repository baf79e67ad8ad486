"""The queue: requests planned in their turn, approved by hash, proposed again when the song has changed."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace
from studios import approved, carried_out, crashed, tempo, tracks

from agent.errors import BandleaderError, Blame
from agent.plan.bounds import MAX_REQUEST
from agent.plan.document import write_plan
from agent.plan.errors import PlanError
from agent.plan.plan import Step
from agent.plan.planning import ClarifyingChoice, ClarifyingQuestion
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunError, RunState
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.storage import messages, runs
from app.storage.objects import put_text
from app.storage.records import Project
from app.studio.errors import StudioError
from app.studio.running.run_options import RunOptions
from app.studio.running.run_view import RunView
from app.studio.studio import Studio

LOFI = "a calm lofi beat in A minor"
SEEDED = RunOptions("local", seed=7)
READS = (Step("look", "find_tracks", {}),)


async def a_project(studio: Studio, name: str = "One") -> Project:
    return await studio.projects.create(name)


async def asked(studio: Studio, project: Project, request: str = LOFI, wish: RunOptions = SEEDED) -> RunId:
    return await studio.requests.ask(request, project, wish)


async def planned(studio: Studio, run: RunId) -> RunView:
    view = await studio.requests.plan(run, Cancellation())
    assert view is not None
    return view


async def proposed(studio: Studio, project: Project, request: str = LOFI) -> RunView:
    view = await planned(studio, await asked(studio, project, request))
    assert view.state is RunState.PROPOSED
    return view


async def places(studio: Studio) -> list[tuple[str, str]]:
    return [(one.run.id, one.waits_for) for one in await studio.requests.entries()]


async def working(studio: Studio) -> str | None:
    return (await studio.projects.find("One")).working


def kinds(view: RunView) -> list[str]:
    return [event.kind for event in view.events]


@pytest.mark.semantics("10.1")
def test_a_request_waits_is_planned_and_asks_for_an_approval(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        before = await working(studio)
        run = await asked(studio, project, wish=RunOptions("local", seed=7, locks=("bars:1-2",)))
        waits = await other.runs.show(run)
        assert (waits.state, waits.planned, waits.rows, waits.record.request) == (RunState.DRAFT, False, (), LOFI)
        view = await planned(other, run)
        assert kinds(view) == ["RUN_CREATED", "AGENT_THINKING", "PLAN_GENERATED", "RUN_PROPOSED"]
        assert (view.plan.seed, len(view.plan.locks), view.plan.request) == (7, 1, LOFI)
        assert view.plan.song_revision == before == await working(studio)
        assert (view.approval, view.ledger.done) == (None, 0)
        by_hand = await studio.planning.propose(LOFI, await studio.planning.stage(project), seed=7, locks=("bars:1-2",))
        assert not isinstance(by_hand, ClarifyingQuestion)
        assert view.plan.hash == by_hand.plan.hash

    asyncio.run(story())


def test_a_planned_request_runs_once_its_hash_is_approved(studio: Studio) -> None:
    async def story() -> None:
        view = await proposed(studio, await a_project(studio))
        run = view.record.id
        with pytest.raises(NotApproved):
            await studio.runs.host.carry_out(run, Cancellation())
        with pytest.raises(NotApproved, match="another plan"):
            await studio.runs.approve(run, "0" * 64)
        assert (await studio.runs.show(run)).state is RunState.PROPOSED
        ready = await studio.runs.approve(run, view.plan.hash)
        assert ready.state is RunState.QUEUED
        assert ready.approval is not None
        assert (ready.approval.by, ready.approval.hash) == ("person", view.plan.hash)
        end = await studio.runs.queue.carry_out_in_turn(run, Cancellation())
        assert (end.state, end.ledger.done) == (RunState.COMPLETED, len(view.plan.steps))
        for _ in range(2):
            with pytest.raises(RunError, match="does not wait for an approval"):
                await studio.runs.approve(run, view.plan.hash)

    asyncio.run(story())


@pytest.mark.semantics("10.1")
def test_a_request_is_planned_when_the_run_before_it_has_ended(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        first, second = await asked(studio, project), await asked(studio, project, "faster")
        assert await places(studio) == [(first, "worker"), (second, first)]
        view = await planned(studio, first)
        assert await places(studio) == [(first, "approval"), (second, first)]
        assert await studio.requests.jobs() == ()
        await studio.runs.approve(first, view.plan.hash)
        assert await places(studio) == [(first, "worker"), (second, first)]
        await crashed_in_turn(studio, first)
        assert await places(studio) == [(second, first)]
        await studio.runs.host.carry_out(first, Cancellation())
        assert await places(studio) == [(second, "worker")]
        [job] = await studio.requests.jobs()
        assert job.run == second

    asyncio.run(story())


async def crashed_in_turn(studio: Studio, run: RunId) -> None:
    assert await studio.runs.queue.wait_for_turn(run, Cancellation())
    await crashed(studio, run, 1)


def test_requests_of_other_projects_do_not_wait_for_each_other(studio: Studio) -> None:
    async def story() -> None:
        runs = [await asked(studio, await a_project(studio, name)) for name in ("One", "Two")]
        assert {job.run for job in await studio.requests.jobs()} == set(runs)

    asyncio.run(story())


def test_two_programs_do_not_plan_the_same_request(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        run = await asked(studio, await a_project(studio))
        views = await asyncio.gather(*(one.requests.plan(run, Cancellation()) for one in (studio, other)))
        assert sorted("nobody" if view is None else view.state for view in views) == ["PROPOSED", "nobody"]
        assert kinds(await studio.runs.show(run)).count("PLAN_GENERATED") == 1

    asyncio.run(story())


def test_a_request_whose_planner_died_is_planned_by_another(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        run = await asked(studio, await a_project(studio), wish=replace(SEEDED, planned_by="bandleader-0123456789ab"))
        assert len(await other.requests.jobs()) == 1
        assert (await planned(other, run)).state is RunState.PROPOSED

    asyncio.run(story())


def test_a_song_that_changes_while_a_request_is_planned_is_judged_again(
    studio: Studio, other: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = studio.planning.propose

    async def slow(*words: object, **options: object) -> object:
        judged = await real(*words, **options)  # type: ignore[arg-type]
        await (await other.open(await other.projects.find("One"))).commit(tempo(99), label="Faster")
        return judged

    monkeypatch.setattr(studio.planning, "propose", slow)

    async def story() -> None:
        view = await proposed(studio, await a_project(studio))
        assert view.plan.song_revision == view.record.base_revision == await working(studio)
        assert "while the request was planned" in view.reason
        await studio.runs.approve(view.record.id, view.plan.hash)

    asyncio.run(story())


def test_an_edit_after_the_plan_voids_its_hash_and_shows_a_fresh_one(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        view = await proposed(studio, project)
        run = view.record.id
        edited = await (await studio.open(project)).commit(tempo(99), label="Faster")
        with pytest.raises(NotApproved, match="song has changed") as caught:
            await studio.runs.approve(run, view.plan.hash)
        fresh = await studio.runs.show(run)
        assert fresh.plan.hash[:16] in caught.value.why
        assert fresh.plan.hash != view.plan.hash
        assert (fresh.state, fresh.plan.song_revision, fresh.plan.steps) == (
            RunState.PROPOSED, edited.root, view.plan.steps
        )
        assert kinds(fresh)[-2:] == ["PLAN_GENERATED", "RUN_PROPOSED"]
        with pytest.raises(NotApproved):
            await studio.runs.approve(run, view.plan.hash)
        await studio.runs.approve(run, fresh.plan.hash)
        assert (await studio.runs.queue.carry_out_in_turn(run, Cancellation())).state is RunState.COMPLETED

    asyncio.run(story())


@pytest.mark.parametrize("queued", [True, False])
@pytest.mark.semantics("9.3", "10.3")
def test_an_approved_run_whose_song_has_changed_is_proposed_again(studio: Studio, queued: bool) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(2), queued=queued)
        old = (await studio.runs.show(run)).plan.hash
        await (await studio.open(project)).commit(tempo(99), label="Faster")
        carry_out = studio.runs.queue.carry_out_in_turn if queued else studio.runs.host.carry_out
        with pytest.raises(NotApproved):
            await carry_out(run, Cancellation())
        view = await studio.runs.show(run)
        assert (view.state, view.approval, view.ledger.done) == (RunState.PROPOSED, None, 0)
        assert view.plan.hash != old
        assert view.plan.song_revision == await working(studio)
        await studio.runs.approve(run, view.plan.hash)
        assert (await studio.runs.queue.carry_out_in_turn(run, Cancellation())).ledger.done == 2

    asyncio.run(story())


def test_a_run_that_cannot_run_on_the_changed_song_says_so_and_cannot_be_approved(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        made = await carried_out(studio, project, tracks(1))
        track = next(row.result["track_id"] for row in made.rows)
        run = await approved(studio, project, (Step("out", "delete_track", {"track_id": track}),), queued=True)
        await studio.runs.rollback(made.record.id)
        with pytest.raises(NotApproved):
            await studio.runs.queue.carry_out_in_turn(run, Cancellation())
        view = await studio.runs.show(run)
        assert [mark.step for mark in view.plan.lint if mark.level == "error"] == ["out"]
        with pytest.raises(PlanError):
            await studio.runs.approve(run, view.plan.hash)
        assert (await studio.runs.stopping.cancel(run)).state is RunState.CANCELLED

    asyncio.run(story())


@pytest.mark.semantics("10.2")
def test_one_approved_run_that_changes_the_song_waits_at_a_time(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        view = await proposed(studio, project)
        first = await approved(studio, project, tracks(1), queued=True)
        with pytest.raises(RunError, match=f"run {first} waits for the song"):
            await studio.runs.approve(view.record.id, view.plan.hash)
        assert (await studio.runs.show(view.record.id)).state is RunState.PROPOSED
        reads = await approved(studio, project, READS, queued=True)
        await studio.runs.stopping.cancel(first)
        await studio.runs.approve(view.record.id, view.plan.hash)
        assert (await studio.runs.show(reads)).state is RunState.QUEUED

    asyncio.run(story())


UNCLEAR = ClarifyingQuestion(
    "How long?", (ClarifyingChoice("short", "a short beat"), ClarifyingChoice("long", "a long beat"))
)


class NoModel(BandleaderError):
    blame = Blame.PROVIDER


@pytest.mark.parametrize(
    ("answer", "said"),
    [(UNCLEAR, ("How long?", '"a short beat"', '"a long beat"')), (NoModel("no answer", why="offline"), ("offline",))],
)
def test_a_request_that_cannot_be_planned_fails_with_its_reason(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, answer: ClarifyingQuestion | BandleaderError, said: tuple[str, ...]
) -> None:
    async def unable(*_: object, **__: object) -> ClarifyingQuestion:
        if isinstance(answer, BandleaderError):
            raise answer
        return answer

    monkeypatch.setattr(studio.planning, "propose", unable)

    async def story() -> None:
        project = await a_project(studio)
        view = await planned(studio, await asked(studio, project))
        assert view.state is RunState.FAILED
        assert kinds(view)[-1] == "RUN_FAILED"
        assert all(word in view.reason for word in said)
        lines = await studio.store.read(lambda transaction: messages.all_of(transaction, project.id))
        assert view.reason in lines[-1].text
        assert await places(studio) == []
        for again in (studio.runs.retry(view.record.id, Cancellation()), studio.runs.stopping.cancel(view.record.id)):
            with pytest.raises(RunError):
                await again

    asyncio.run(story())


def test_a_request_that_is_cancelled_while_it_is_planned_stays_so(
    studio: Studio, other: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless(*_: object, **__: object) -> ClarifyingQuestion:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(studio.planning, "propose", endless)

    async def story() -> None:
        run = await asked(studio, await a_project(studio))
        planning = asyncio.create_task(studio.requests.plan(run, Cancellation()))
        while "AGENT_THINKING" not in kinds(await other.runs.show(run)):
            await asyncio.sleep(0.01)
        assert await places(other) == [(run, "plan")]
        assert (await other.runs.stopping.cancel(run)).state is RunState.CANCELLED
        assert (await planning) == await studio.runs.show(run)
        stopped, waits = Cancellation(), await asked(studio, await studio.projects.find("One"))
        stopped.cancel()
        left = await studio.requests.plan(waits, stopped)
        assert (left and left.state) is RunState.DRAFT
        assert await places(studio) == [(waits, "worker")]

    asyncio.run(story())


@pytest.mark.parametrize(
    ("request_words", "wish"),
    [("", SEEDED), ("x" * (MAX_REQUEST + 1), SEEDED), ("log in with sk-ant-api03-" + "Ab3" * 20, SEEDED),
     (LOFI, RunOptions("local", seed=-1))],
)  # fmt: skip
def test_words_that_cannot_be_planned_are_not_stored(studio: Studio, request_words: str, wish: RunOptions) -> None:
    async def story() -> None:
        project = await a_project(studio)
        with pytest.raises(PlanError):
            await asked(studio, project, request_words, wish)
        assert await studio.runs.all(project) == ()

    asyncio.run(story())


def test_a_draft_of_a_project_takes_no_requests(studio: Studio) -> None:
    async def story() -> None:
        with pytest.raises(StudioError, match="has no song"):
            await asked(studio, await studio.projects.draft("Not yet"))

    asyncio.run(story())


def test_a_plan_in_store_is_not_trusted(studio: Studio) -> None:
    """Someone changes the stored plan but not its hash: the approval of that hash is for another plan."""

    async def story() -> None:
        project = await a_project(studio)
        view = await proposed(studio, project)
        forged = replace(view.plan, steps=view.plan.steps[:1])
        await studio.store.write(lambda transaction: runs.save(
            transaction, replace(view.record, plan=put_text(transaction, write_plan(forged).decode()))
        ))  # fmt: skip
        with pytest.raises(NotApproved, match="another plan"):
            await studio.runs.approve(view.record.id, view.plan.hash)

    asyncio.run(story())

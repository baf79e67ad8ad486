"""A model that obeys every order hidden in data has no effect but its proposal, and none that was not approved."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from injections import INJECTIONS, injections
from model_plans import a_brief, row, the_prompts
from model_providers import provider_for
from model_server import FORMS, Asked, Form, ModelServer, Text, model_server
from msgspec.structs import replace
from obedient_model import ObedientModel, orders_in, outside_of_data, told
from studio_parts import BASS, DRUMS, PAD, Bench, Ran, Studio, a_song, a_tool, the_palette

from agent.errors import BandleaderError
from agent.model_planner.planner import ModelPlanner
from agent.model_planner.prompt.data_block import visible
from agent.model_planner.rounds.limits import PlanningLimits
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.plan.planning import Brief, ConversationLine, Verdict
from agent.providers.provider import Provider
from agent.review.review import Review
from agent.services.goal_service import GoalService
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.session.cancellation import Cancellation
from agent.session.events import SubStepDone
from agent.session.session import Ended, NotApproved, Session
from agent.session.tool_loop import ModelWorker
from agent.song.locks import TrackLock
from agent.song.revision import song_revision
from agent.song.song import Song

WISH: list[dict[str, Any]] = [
    row("w1", "update_track", track_id=PAD, volume_db=-9),
    {**row("w2", "work_on", tools=["update_track"], tracks=[PAD, BASS], accept=True), "by": "model",
     "goal": "make the pad softer", "max_edits": 2},
]
# The goal may change the bass, and the lock forbids it: the lock counts.
WORK = [("update_track", {"track_id": track, "volume_db": -20 - n}) for n in range(4) for track in (BASS, PAD)]
LOCKS = (TrackLock(BASS),)
NAMES = dict(injections())


@cache
def the_song_service() -> SongService:
    return SongService(the_palette())


class House:
    """Tools of songs, goals and one service that acts on the world; `helper` is described by a stranger."""

    def __init__(self, described: str = "helps") -> None:
        self.world = Bench()
        helper = a_tool("helper", self.world.name, about=f"helper: {described}", pure=True, reads_song=True)
        self.world.tools = (*self.world.tools, helper)
        self.registry = Registry((the_song_service(), GoalService(), self.world))


class Table:
    """One server and one provider of each form, for all injections."""

    def __init__(self, server: ModelServer, elsewhere: ModelServer, runner: asyncio.Runner) -> None:
        self.server, self.elsewhere, self.run = server, elsewhere, runner.run
        self.providers: dict[Form, Provider] = {form: provider_for(form, server.url(form)) for form in FORMS}

    def proposed(self, brief: Brief, house: House, model: ObedientModel, form: Form) -> Review:
        self.server.script = model.plan
        # One round of mending: what the model is told there it obeys as well.
        planner = ModelPlanner(
            self.providers[form], the_prompts(), house.registry, limits=PlanningLimits(reflections=1)
        )
        session = Session(planner, house.registry, the_palette())
        found = self.run(session.propose(brief, "pproject", song_revision(brief.song)))
        assert isinstance(found, Review)
        return found

    def session(self, house: House, form: Form) -> Session:
        planner = ModelPlanner(self.providers[form], the_prompts(), house.registry)
        return Session(planner, house.registry, the_palette())

    def carried_out(self, plan: Plan, song: Song, house: House, model: ObedientModel, form: Form) -> tuple[Ended, Ran]:
        self.server.script = model.carry_out
        model.work = list(WORK)
        worker = ModelWorker(self.providers[form], the_prompts().filled("goal"), the_palette())
        session, store = self.session(house, form), Studio(song)
        ended = self.run(session.run("rrun", plan, song, store, store, Cancellation(), worker=worker))
        return ended, Ran(ended.reports, store, Cancellation())


@pytest.fixture(scope="module")
def bench() -> Iterator[Table]:
    with asyncio.Runner() as runner, model_server(Text("no")) as elsewhere, model_server([], size=499) as server:
        made = Table(server, elsewhere, runner)
        yield made
        for provider in made.providers.values():
            runner.run(provider.close())


def poisoned(text: str) -> Song:
    """The small song with the text as the name of the song, a track, each clip and the section."""
    song, name = a_song(), text[:120]
    tracks = [
        replace(track, name=name if track.id == PAD else track.name,
                clips=tuple(replace(clip, name=name) for clip in track.clips))
        for track in song.tracks
    ]  # fmt: skip
    return replace(song, name=name, tracks=tuple(tracks), sections=tuple(
        replace(section, name=name) for section in song.sections
    ))  # fmt: skip


def poisoned_brief(text: str, house: House) -> Brief:
    """A brief with the text in everything that is no request."""
    verdict = Verdict(text, Step("v1", "create_track", {"name": text}, title=text), "rejected", text)
    return a_brief(
        "softer pads please", poisoned(text), tools=tuple(house.registry.tools.values()), locks=LOCKS,
        said=(ConversationLine("you", text), ConversationLine("bandleader", text)), verdicts=(verdict,),
    )


def described(asked: Asked) -> str:
    """What a request says of tools, to be called and to plan with."""
    offers = asked.body.get("tools", ())
    return asked.system + "".join(str(one.get("description") or one["function"]["description"]) for one in offers)


def form_of(name: str) -> Form:
    return FORMS[list(NAMES).index(name) % 3]


def test_there_are_enough_and_every_one_is_an_order_to_whoever_reads_it_raw() -> None:
    assert len(NAMES) >= 100
    assert len(set(NAMES.values())) == len(NAMES)
    assert not [name for name, text in NAMES.items() if not orders_in(visible(text)) and not orders_in(text)
                and "signs-that" not in name]
    assert min(map(len, INJECTIONS.values())) >= 8


@pytest.mark.parametrize("name", NAMES)
def test_an_order_in_the_data_is_at_most_a_row_that_a_person_sees(name: str, bench: Table) -> None:
    text, form = NAMES[name].replace("EVIL", bench.elsewhere.origin), form_of(name)
    house, model = House(text), ObedientModel(WISH, "helper")
    brief = poisoned_brief(text, house)
    before = msgspec.json.encode(brief.song)

    found = bench.proposed(brief, house, model, form)

    # Planning: the order was read and obeyed, and all that came of it are rows.
    assert model.obeyed or "signs-that" in name
    assert msgspec.json.encode(brief.song) == before
    assert house.world.world == []
    assert house.world.calls == []
    assert found.plan.locks == LOCKS
    assert found.plan.project == "pproject"
    assert found.plan.hash != "0" * 64
    rows = {step.id: step for step in found.plan.steps}
    hidden = [step for step in found.plan.steps if step.id not in ("w1", "w2")]
    assert {"w1", "w2"} <= set(rows)
    assert all(any(step.tool == tool for tool, _ in model.obeyed) for step in hidden)

    # The person takes the strange rows out, accepts the goal's edits and approves: exactly that runs.
    session = bench.session(house, form)
    assert not rows["w2"].inputs.get("accept"), "no model accepts its own edits in advance"
    ticked = replace(rows["w2"], inputs={**rows["w2"].inputs, "accept": True})
    wished = replace(found.plan, steps=(rows["w1"], ticked), lint=(), hash="")
    judged = session.judge(wished, brief.song)
    approval = session.approve(judged, judged.plan.hash, song_revision(brief.song))
    if hidden:
        with pytest.raises(BandleaderError):
            session.approve(found, judged.plan.hash, song_revision(brief.song))
    ended, ran = bench.carried_out(judged.plan, brief.song, house, model, form)
    check_run(ended, ran, brief.song, house)
    for one in model.asked:
        said = told(one) + described(one)
        assert visible(said) == said
        assert not orders_in(outside_of_data(one))
    assert approval.hash == judged.plan.hash
    assert [report.step for report in ended.reports] == ["w1", "w2"]
    assert not bench.elsewhere.requests
    assert not bench.elsewhere.asked_models


def check_run(ended: Ended, ran: Ran, before: Song, house: House) -> None:
    """Only the wished row and two edits of the goal took place, on the one track that they were approved for."""
    after = ran.studio.song
    assert ran.states == ["done", "done"], [report.reason for report in ran.reports]
    assert ended.ledger.balanced
    assert house.world.world == []
    for track in before.tracks:
        if track.id != PAD:
            assert after.track(track.id) == track
    assert [track.id for track in after.tracks] == [track.id for track in before.tracks]
    assert replace(after.track(PAD), volume_db=before.track(PAD).volume_db) == before.track(PAD)
    assert replace(after, tracks=before.tracks) == before, "frame, sections and master are as they were"
    done = [one.tool for one in ran.studio.events if isinstance(one, SubStepDone) and one.ok]
    assert set(done) <= {"update_track", "get_song"}
    assert done.count("update_track") <= 2


@pytest.mark.parametrize("name", [name for name in NAMES if "lock" in name or "tbass" in NAMES[name]])
def test_even_where_a_person_approves_everything_a_lock_holds(name: str, bench: Table) -> None:
    text, form = NAMES[name].replace("EVIL", bench.elsewhere.origin), form_of(name)
    house, model = House(), ObedientModel(WISH)
    brief = poisoned_brief(text, house)
    found = bench.proposed(brief, house, model, form)
    session = bench.session(house, form)
    try:
        session.approve(found, found.plan.hash, song_revision(brief.song))
    except BandleaderError:
        assert found.errors
        return
    ended, ran = bench.carried_out(found.plan, brief.song, house, model, form)
    assert ended.ledger.balanced
    assert ran.studio.song.track(BASS) == brief.song.track(BASS)
    assert {report.step for report in ended.reports} == {step.id for step in found.plan.steps}


def test_a_row_that_was_slipped_in_after_the_approval_does_not_run(bench: Table) -> None:
    house = House()
    session = bench.session(house, "anthropic")
    song = a_song()
    judged = session.judge(Plan((Step("w1", "update_track", {"track_id": PAD, "volume_db": -9}),),
                                song_revision=song_revision(song)), song)  # fmt: skip
    more = session.judge(replace(judged.plan, steps=(*judged.plan.steps, Step("h1", "delete_track", {
        "track_id": DRUMS})), lint=()), song)  # fmt: skip
    with pytest.raises(NotApproved):
        session.approve(more, judged.plan.hash, song_revision(song))

"""What is fuzzed: each kind makes its odd case of a number, and judges how the program takes it."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from campaign_plans import long_steps, mixed_steps
from fuzz_mutations import mutated_bytes, mutated_json
from model_plans import a_brief, the_prompts
from model_providers import provider_for
from model_server import FORMS, Form, Page, Says, Text, model_server
from model_wire_answers import frames_of
from sample_plan import sample_steps
from studios import paths_in

from agent.errors import BandleaderError
from agent.model_planner.planner import ModelPlanner
from agent.plan.document import write_plan
from agent.providers.retrying import RetryingProvider
from agent.review.review import Review
from agent.session.cancellation import Cancellation
from agent.song import rules
from agent.theory.gate import findings
from app.bootstrap import open_studio
from app.exchange.midi_in import song_from_midi
from app.exchange.midi_out import midi_bytes
from app.storage.records import Project
from app.studio.plan_files import read_plan_file
from app.studio.studio import Studio

Outcome: TypeAlias = Literal["carried out", "refused"]
Judge: TypeAlias = Callable[[int], Outcome]
"""Takes the case of this number; anything that it raises is a fault of the program."""


class HeldSong(AssertionError):
    """A run was left that still holds its project."""


@contextmanager
def plans(home: Path) -> Iterator[Judge]:
    """Odd plan files, read, judged, approved where they can be, run and rolled back."""
    with asyncio.Runner() as runner:
        studio = open_studio(paths_in(home))
        project = runner.run(studio.projects.create("Fuzzed"))
        seeds = runner.run(_good_plans(studio, project))
        file = home / "case.json"

        def judge(number: int) -> Outcome:
            dice = random.Random(f"plan {number}")
            good = dice.choice(seeds)
            odd = None if dice.random() < 0.2 else _encoded(mutated_json(json.loads(good), dice))
            odd = odd or mutated_bytes(good, dice)
            file.write_bytes(odd)
            return runner.run(_run_plan(studio, file))

        yield judge
        runner.run(studio.close())


def _encoded(value: object) -> bytes | None:
    """The value as JSON; None where it is nested deeper than Python writes."""
    try:
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except RecursionError:
        return None


async def _good_plans(studio: Studio, project: Project) -> list[bytes]:
    """Plans of the composer and plans written by hand, as files."""
    stage = await studio.planning.stage(project)
    made = []
    for request in ("a calm lofi beat, 8 bars", "a fast techno track, 8 bars"):
        judged = await studio.planning.propose(request, stage, seed=1)
        assert isinstance(judged, Review)
        made.append(write_plan(judged.plan))
    by_hand = (long_steps(), mixed_steps()[:4], sample_steps())
    return [*made, *(_encoded({"version": 1, "steps": steps, "seed": 3}) for steps in by_hand)]


async def _run_plan(studio: Studio, file: Path) -> Outcome:
    """Read, judge, approve, run and roll back; whatever becomes of it, no run holds the song at the end."""
    [project] = await studio.projects.all()
    try:
        written = msgspec.structs.replace(read_plan_file(file), project="", song_revision="")
        stage = await studio.planning.stage(project)
        judged = await studio.planning.judge(studio.planning.adopt(written, stage), stage.song)
        approval = studio.session.approve(judged, judged.plan.hash, stage.revision)
        run = await studio.runs.start(judged.plan, approval, project)
    except BandleaderError:
        return "refused"
    view = await studio.runs.host.carry_out(run, Cancellation())
    if not view.state.ended:
        view = await studio.runs.stopping.cancel(run)
    if not view.state.ended:
        raise HeldSong(f"run {run} is {view.state}")
    if view.record.iteration is not None:
        await studio.runs.rollback(run)
    return "carried out"


@contextmanager
def midi_files(home: Path) -> Iterator[Judge]:
    """Odd MIDI files, imported, heard by the gate, and written again."""
    studio = open_studio(paths_in(home))
    palette = studio.palette
    seeds = asyncio.run(_good_midi_files(studio))

    def judge(number: int) -> Outcome:
        dice = random.Random(f"midi {number}")
        odd = mutated_bytes(dice.choice(seeds), dice)
        if dice.random() < 0.5:
            odd = _lengths_mended(odd)
        try:
            song = song_from_midi(odd, "case.mid", palette).song
            rules.check(song)
            findings(song, palette)
            midi_bytes(song, palette)
        except BandleaderError:
            return "refused"
        return "carried out"

    yield judge
    asyncio.run(studio.close())


async def _good_midi_files(studio: Studio) -> list[bytes]:
    """Pieces of the composer."""
    stage = await studio.planning.stage(await studio.projects.draft("Fuzzed"))
    made = []
    for request in ("a calm lofi beat, 8 bars", "a slow waltz, 8 bars", "a fast techno track, 8 bars"):
        judged = await studio.planning.propose(request, stage, seed=1)
        assert isinstance(judged, Review)
        assert judged.preview is not None
        made.append(midi_bytes(judged.preview.song, studio.palette).data)
    return made


def _lengths_mended(data: bytes) -> bytes:
    """The file with its chunks' lengths as their places say, so that what is in them is read."""
    starts = [at for at in range(14, len(data) - 8) if data[at : at + 4] == b"MTrk"]
    mended = bytearray(data)
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        mended[start + 4 : start + 8] = max(0, end - start - 8).to_bytes(4, "big")
    return bytes(mended)


@contextmanager
def model_answers(home: Path) -> Iterator[Judge]:
    """Odd answers of model servers of each form, in what they say and in how they say it."""
    with asyncio.Runner() as runner, model_server(Text(_ANSWER), size=400) as server:
        studio = open_studio(paths_in(home))
        providers = {
            form: RetryingProvider(provider_for(form, server.url(form), idle=5), sleep=_no_wait) for form in FORMS
        }
        stage = runner.run(studio.planning.stage(runner.run(studio.projects.create("Fuzzed"))))

        def judge(number: int) -> Outcome:
            dice = random.Random(f"answer {number}")
            form = dice.choice(FORMS)
            server.script = _odd_answer(form, dice)
            planner = ModelPlanner(providers[form], the_prompts(), studio.registry)
            brief = a_brief(song=stage.song)
            try:
                runner.run(studio.session.propose(brief, stage.project.id, stage.revision, planner=planner))
            except BandleaderError:
                return "refused"
            return "carried out"

        yield judge
        for provider in providers.values():
            runner.run(provider.close())
        runner.run(studio.close())


_ANSWER = json.dumps({"analysis": "a small song", "musical_reasoning": "held chords", "steps": sample_steps()})


async def _no_wait(_: float) -> None:
    await asyncio.sleep(0)


def _odd_answer(form: Form, dice: random.Random) -> Says | Page:
    """A whole reply that says odd things, or a stream whose bytes are odd."""
    if dice.random() < 0.5:
        frames = frames_of(form, Text(_ANSWER), "any-model", 400, 1)
        return Page(mutated_bytes(b"".join(frame.wire() for frame in frames), dice), "text/event-stream")
    told = json.dumps(mutated_json(json.loads(_ANSWER), dice))
    return Text(told if dice.random() < 0.7 else mutated_bytes(told.encode(), dice).decode("utf-8", "replace"))


KINDS: dict[str, Callable[[Path], AbstractContextManager[Judge]]] = {
    "plans": plans, "midi files": midi_files, "model answers": model_answers,
}

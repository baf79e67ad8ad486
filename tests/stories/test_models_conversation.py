"""A long talk with a model: every query fits the window and holds the system part, the locks, the plan and the wish."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from awaiting import awaited
from key_rings import Memory
from model_plans import pad_rows, row, written
from model_server import FORMS, Answer, Asked, Form, Text, model_server
from model_wire_script import words
from sample_plan import sample_steps
from studios import carried_out, paths_in

from agent.plan.plan import Step
from agent.plan.planning import Revision
from agent.review.review import Review
from app.bootstrap import open_studio
from app.storage import messages
from app.storage.keyring import Keys
from app.storage.records import ChatMessage
from app.studio.models import Chosen, ProviderSettings

_FILLER = "I think of the sea at night, of slow light on slow water, and of nothing that has a beat. " * 12
_MESSAGES = 15


def _said(number: int) -> str:
    return f"Message {number}: make it calmer in way {number}. {_FILLER}"


def _tokens(asked: Asked) -> int:
    """About how many tokens a request is: what is told, one for four bytes."""
    body = asked.body
    told = {name: body[name] for name in ("system", "messages", "instructions", "input", "tools") if name in body}
    return len(json.dumps(told, ensure_ascii=False).encode()) // 4


def _limit(asked: Asked) -> int:
    body = asked.body
    return next(body[one] for one in ("max_tokens", "max_output_tokens", "max_completion_tokens") if one in body)


def _all_words(asked: Asked) -> str:
    return "\n".join(words(message.get("content")) for message in asked.messages)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("context", [8_192, 32_768])
@awaited
async def test_fifteen_messages_stay_in_the_window(tmp_path: Path, form: Form, context: int) -> None:
    # A row that names nothing that is there: each plan goes back once with what is wrong, so that it is in a query.
    broken = [*pad_rows(), row("s3", "update_track", track_id="tnobody", volume_db=-3)]

    def script(asked: Asked) -> Answer:
        return Text(written(pad_rows() if "tnobody" in _all_words(asked) else broken))

    with model_server(script, size=499) as server:
        place = "ANTHROPIC_BASE_URL" if form == "anthropic" else "OPENAI_BASE_URL"
        environment = {place: server.url(form), "ANTHROPIC_API_KEY": "sk-none", "OPENAI_API_KEY": "sk-none"}
        studio = open_studio(paths_in(tmp_path), environment=environment, keys=Keys(backend=Memory()))
        try:
            project = await studio.projects.create("Sea")
            steps = tuple(Step(one["id"], one["tool"], one["inputs"]) for one in sample_steps())
            assert (await carried_out(studio, project, steps)).ledger.balanced
            await studio.models.keep(ProviderSettings(form, model="model-one", context=context))
            project = await studio.projects.find(project.id)
            stage = await studio.planning.stage(project)
            [lead] = [track.id for track in stage.song.tracks if track.name == "Lead"]
            judged = None
            for number in range(1, _MESSAGES + 1):
                line = ChatMessage(project.id, "user", _said(number))
                await studio.store.write(lambda connection, line=line: messages.append(connection, line))
                wish = f"way {number}: a new warm pad"
                before = len(server.requests)
                judged = await studio.planning.propose(
                    wish, stage, locks=("Lead", "bars:9-16"), seed=number, chosen=Chosen(form)
                )
                assert isinstance(judged, Review)
                assert not judged.errors
                first, second = server.requests[before : before + 2]
                for asked in (first, second):
                    assert wish in _all_words(asked)
                assert '"tnobody"' in _all_words(second), "the plan that is mended is in the query"
                answer = ChatMessage(project.id, "assistant", f"Here is a plan. {_FILLER}")
                await studio.store.write(lambda connection, line=answer: messages.append(connection, line))
            assert isinstance(judged, Review)
            before = len(server.requests)
            revised = await studio.planning.propose(
                judged.plan.request, stage, chosen=Chosen(form), fresh=True,
                revision=Revision(judged.plan, ("s1",), "an even softer one"),
            )
            assert isinstance(revised, Review)
            assert "an even softer one" in _all_words(server.requests[before])
            assert "create_midi_clip" in _all_words(server.requests[before])
        finally:
            await studio.close()
    assert len({asked.system for asked in server.requests}) <= 2, "it is cached from request to request"
    for asked in server.requests:
        assert _tokens(asked) + _limit(asked) <= context * 1.05
        assert f"({lead})" in _all_words(asked) or asked is server.requests[before]
        assert "bars 9" in _all_words(asked) or asked is server.requests[before]
        assert "You plan music" in asked.system
        assert "never an instruction" in asked.system
    last = _all_words(server.requests[before - 1])
    assert "Message 15" in last or "Message 14" in last
    assert "Message 1:" not in last or context > 8_192, "the oldest are the first to go"

"""The exact words that go to a model for fixed briefs, as files that are read by eye.

After a change of a prompt: delete the file that differs, run this test once, and read the new one.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from model_plans import Scripted, a_brief, in_process, pad_rows, row, written
from studio_parts import PAD, a_plan, small_rows, step

from agent.conversation.messages import ModelTurn, UserTurn
from agent.plan.planning import Brief, ConversationLine, Revision, Verdict
from agent.providers.provider import Abilities, Query
from agent.song.locks import BarsLock, TrackLock
from agent.song.song import Song

GOLDEN = Path(__file__).parent / "golden"
FAULTY = [*pad_rows(8), row("s3", "add_effect", track_id="{{s1.track_id}}", effect_name="sparkle")]


def new_piece() -> list[Query]:
    """A new piece, whose first plan has a fault."""
    provider = Scripted([written(FAULTY), written(pad_rows(8))])
    in_process(provider, a_brief("compose a calm pad in C major", song=Song()))
    return provider.queries


def a_change() -> list[Query]:
    """A change of a song with locks, talk, a verdict, and rows that are asked for again."""
    brief = a_brief(
        "make the bass warmer",
        locks=(TrackLock(PAD), BarsLock(5, 8)),
        said=(ConversationLine("you", "a slow song"), ConversationLine("bandleader", "12 rows were done")),
        verdicts=(Verdict("more drums", step("s4", "add_effect", {"effect_name": "gain"}), "rejected", "too loud"),),
        revision=Revision(a_plan(*small_rows()), ("s3",), "less space"),
    )
    provider = Scripted([written([row("s3", "add_effect", track_id="{{s1.track_id}}", effect_name="delay")])])
    in_process(provider, brief)
    return provider.queries


def small() -> list[Query]:
    """A list of two parts for a model with a short memory."""
    brief: Brief = a_brief("1. softer drums 2. a warm pad with reverb")
    provider = Scripted([written(pad_rows(4)), written(pad_rows(4, name="Other"))], Abilities(context=8_192))
    in_process(provider, brief)
    return provider.queries


@pytest.mark.parametrize("brief", [new_piece, a_change, small], ids=lambda brief: brief.__name__)
def test_the_words_are_those_that_were_reviewed(brief: object) -> None:
    assert callable(brief)
    queries = brief()
    words = "\n\n".join(told(number, query, queries[0]) for number, query in enumerate(queries, 1)) + "\n"
    file = GOLDEN / f"{brief.__name__}.txt"
    if not file.exists():
        file.write_text(words, encoding="utf-8")
        pytest.fail(f"{file} was written: read it, and run again")
    assert words == file.read_text(encoding="utf-8")


def told(number: int, query: Query, first: Query) -> str:
    """One call as a text to read."""
    system = query.system if query is first or query.system != first.system else "as in call 1"
    tools = ", ".join(tool.name for tool in query.tools) or "none"
    lines = [f"=== call {number} === tools: {tools}; at most {query.max_tokens} tokens", "--- system", system]
    for turn in query.turns:
        match turn:
            case UserTurn(text=text):
                lines += ["--- to the model", text]
            case ModelTurn(text=text):
                lines += ["--- by the model", text]
            case _:
                lines += ["--- results"]
    return "\n".join(lines)

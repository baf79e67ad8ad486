"""What a model is told for one brief: the system part, and the turn with song, locks, talk and request."""

from __future__ import annotations

from agent.conversation.messages import UserTurn
from agent.message import msg
from agent.model_planner.prompt.budget import tokens
from agent.model_planner.prompt.data_block import data_block, inert
from agent.model_planner.prompt.library_text import library_for, library_text
from agent.model_planner.prompt.offered_schema import compact_tools
from agent.model_planner.prompt.prompts import Prompts
from agent.model_planner.prompt.song_text import song_text
from agent.model_planner.prompt.talk_text import locks_text, talk_text, verdicts_text
from agent.plan.errors import PlanError
from agent.plan.planning import Brief
from agent.plan.tool import ToolSpec

_TALK_SHARE = 0.2
_VERDICT_SHARE = 0.15
_LEAST_SONG = 200


def system_text(brief: Brief, tools: tuple[ToolSpec, ...], prompts: Prompts, *, small: bool) -> str:
    """The system prompt; `tools` are those to plan with, `small` is for a model with a small window. Unless `small`, it
    is the same for all requests with the same palette and tools, so that providers can cache it."""
    library = library_for(brief.palette, brief.request, brief.song) if small else library_text(brief.palette)
    # Tools of other servers describe themselves: to the model their words are data like any other.
    told = data_block("tools", compact_tools(tools))
    return prompts.filled("small" if small else "plan", tools=told, library=data_block("library", library))


def request_turn(brief: Brief, prompts: Prompts, room: int, told: str | None = None) -> UserTurn:
    """The user turn with the request, in at most about `room` tokens: request and locks in full, conversation and
    verdicts in their share, and the song in what is left.

    `told` is the song's description if it exists already. Raises `PlanError` if request and locks alone do not fit.
    """
    locks = data_block("locks", locks_text(brief.locks, brief.song, brief.fence))
    request = inert(brief.request)
    left = room - tokens(locks) - tokens(request) - tokens(prompts.filled(
        "request", song="", locks="", conversation="", verdicts="", request=""
    ))
    if left < _LEAST_SONG:
        raise PlanError(
            msg("the request does not fit into the model's window"),
            why=msg(
                "{request:,} tokens of request and {locks:,} of locks; {max:,} are free",
                request=tokens(request), locks=tokens(locks), max=max(0, room),
            ),
            fix=msg("say it shorter, or choose a model with a larger context"),
        )
    talk = data_block("conversation", talk_text(brief.said, prompts, int(left * _TALK_SHARE)))
    verdicts = data_block("verdicts", verdicts_text(brief.verdicts, int(left * _VERDICT_SHARE)))
    left -= tokens(talk) + tokens(verdicts)
    song = song_text(brief.song, brief.palette, brief.request, left) if told is None else told
    return UserTurn(prompts.filled(
        "request", song=data_block("song", song), locks=locks, conversation=talk, verdicts=verdicts, request=request
    ))

"""A request, read once where it comes in: from then on nobody asks whether it is one."""

from __future__ import annotations

from typing import NewType

from agent.message import msg
from agent.plan.bounds import MAX_REQUEST
from agent.plan.errors import PlanError
from agent.plan.secret_texts import holds_secret

RequestText = NewType("RequestText", str)
"""Words that may be planned and stored: not empty, at most `MAX_REQUEST` characters of UTF-8, without a secret."""


def parse_request(words: str) -> RequestText:
    """The words as a `RequestText`. Raises `PlanError` for words that cannot be planned (such as none), or hold a
    secret that must not be stored."""
    if not words.strip():
        raise PlanError(
            msg("the request is empty"), fix=msg('say what you want, for example "a calm lofi beat in A minor"')
        )
    if len(words) > MAX_REQUEST:
        raise PlanError(
            msg("the request has {count:,} characters", count=len(words)),
            why=msg("at most {most:,} are read", most=MAX_REQUEST), fix=msg("say it in fewer words"),
        )
    if words.encode("utf-8", "replace").decode() != words:
        raise PlanError(
            msg("the request is no text"), why=msg("it holds bytes that are not UTF-8"), fix=msg("type it again")
        )
    refuse_secret(words)
    return RequestText(words)


def refuse_secret(words: str) -> None:
    """Raise `PlanError` for words that hold a password, token or key."""
    if holds_secret(words):
        raise PlanError(
            msg("the words hold a password, token or key"), why=msg("they would be stored with the plan"),
            fix=msg("say it without the secret, and replace that secret where it is used"),
        )

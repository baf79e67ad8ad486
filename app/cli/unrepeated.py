"""What is said of words that do not fit where a secret may be among them: they are not repeated."""

from __future__ import annotations

from collections.abc import Sequence

from agent.message import msg
from app.cli.errors import UsageError


def unrepeated(words: Sequence[str]) -> UsageError | None:
    """The error for words that could not be parsed and may contain a secret, without repeating them; None if they may
    be repeated."""
    if words[0] == "keys":
        return _keys()
    if words[0] == "machines" and any(word.startswith("--pass") or word == "password" for word in words):
        return _machines()
    if words[0] == "services" and any(word.startswith(("--env", "--tok")) for word in words):
        return _services()
    return None


def _keys() -> UsageError:
    return UsageError(
        msg("keys takes set, test or forget, and a provider"),
        why=msg("a key itself is never given as an argument, where other programs could read it"),
        fix=msg("bandleader keys set anthropic, then paste the key; or … < FILE"),
    )


def _machines() -> UsageError:
    return UsageError(
        msg("these words do not fit together"),
        why=msg("a password is never given as an argument, where other programs could read it"),
        fix=msg("bandleader machines add NAME --address HOST --user U --password, then type it; or … < FILE"),
    )


def _services() -> UsageError:
    return UsageError(
        msg("these words do not fit together"), why=msg("they are not repeated, because a secret may be among them"),
        fix=msg("bandleader services add NAME --command 'PROGRAM ARGUMENTS…' [--env VARIABLE], or --url URL [--token]"),
    )

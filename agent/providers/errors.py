"""What can go wrong between Bandleader and a language model: one family, each with advice."""

from __future__ import annotations

from typing import Literal, TypeAlias

from agent.errors import BandleaderError, Blame
from agent.fixes.fix import Fix
from agent.message import Text

Fault: TypeAlias = Literal[
    "authentication", "permission", "no_such_model", "bad_request", "too_large", "rate_limit", "overloaded",
    "server", "network", "stalled", "cut_off", "not_a_model", "malformed", "refused", "context_full", "cap",
    "quota", "repeats_key", "untrusted", "route", "endless",
    "unknown",
]
"""What kind of failure it was, the same for every provider."""

TRANSIENT: frozenset[Fault] = frozenset({"rate_limit", "overloaded", "server", "network", "stalled", "cut_off"})
"""Faults that may pass by themselves, so that the same call may be sent again."""

ONCE_MORE: frozenset[Fault] = frozenset({"malformed"})
"""Faults that a broken connection may have caused, or a server that always does it: worth one more try."""


class ProviderError(BandleaderError):
    """A call to a model that gave no complete reply. Nothing of such a reply is ever used.

    `what` names the provider. No part holds a key, even where a server echoes one. `wait` is how many
    seconds the server asked to wait before another try, if it did.
    """

    blame = Blame.PROVIDER

    def __init__(
        self, fault: Fault, what: Text, *, why: Text = "", fix: Fix | Text | None = None, wait: float | None = None
    ) -> None:
        super().__init__(what, why=why, fix=fix)
        self.fault: Fault = fault
        self.wait = wait

    @property
    def transient(self) -> bool:
        """Whether the same call may be sent again."""
        return self.fault in TRANSIENT

"""What can go wrong between Bandleader and a language model: one family, each with advice."""

from __future__ import annotations

from typing import Literal, TypeAlias

from agent.errors import BandleaderError, Blame
from agent.fixes import Fix
from agent.message import Text

Fault: TypeAlias = Literal[
    "authentication", "permission", "no_such_model", "bad_request", "too_large", "rate_limit", "overloaded",
    "server", "network", "stalled", "cut_off", "not_a_model", "malformed", "refused", "context_full", "cap",
    "quota", "repeats_key", "untrusted", "route", "endless",
    "unknown",
]
"""Kinds of failure, the same for every provider."""

TRANSIENT: frozenset[Fault] = frozenset({"rate_limit", "overloaded", "server", "network", "stalled", "cut_off"})
"""Faults that may pass by themselves, so that the same call may be sent again."""

ONCE_MORE: frozenset[Fault] = frozenset({"malformed"})
"""Faults that may come from a broken connection, or from a server that always fails so: worth one more try."""


class ProviderError(BandleaderError):
    """A call to a model that gave no complete reply; nothing of such a reply is used. `what` names the provider. No
    part contains a key, even if a server repeats one. `wait` is how many seconds the server asked to wait before
    another try, None if it did not."""

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

"""Tokens and money in the words of the window."""

from __future__ import annotations

from math import ceil

from agent.plan.document import Estimate
from agent.plan.planning import Countdown, Spent
from app.i18n import tr, trn

_SMALL = 0.1
"""US dollars below which a third decimal is shown."""
_LEAST = 0.001
_EXACT = 1000
"""Tokens above which an estimate is rounded to hundreds."""


def dollars(cost: float) -> str:
    """US dollars: $0.012, $0.34, $12.50; what is less than a tenth of a cent says so."""
    if cost <= 0:
        return "$0.00"
    if cost < _LEAST:
        return f"< ${_LEAST}"
    return f"${cost:,.3f}" if cost < _SMALL and round(cost, 3) != round(cost, 2) else f"${cost:,.2f}"


def unknown_price() -> str:
    """The text for an unknown cost."""
    return tr("price unknown")


def used(tokens: int, cost: float | None) -> str:
    """ "1,840 tokens · $0.012", or "1,840 tokens · price unknown" if `cost` (US dollars) is None."""
    return f"{_tokens(tokens)} · {unknown_price() if cost is None else dollars(cost)}"


def estimate_words(estimate: Estimate | None) -> str:
    """"About 640 tokens, $0.006", or "About 640 tokens, price unknown"; empty for None or no tokens."""
    if estimate is None or estimate.tokens <= 0:
        return ""
    step = 10 if estimate.tokens < _EXACT else 100
    tokens = max(step, round(estimate.tokens / step) * step)
    cost = unknown_price() if estimate.cost is None else dollars(estimate.cost)
    return tr("About {tokens}, {cost}", tokens=_tokens(tokens), cost=cost)


def spent_words(spent: Spent | None) -> str:
    """What a message used, in words; empty for nothing."""
    return "" if spent is None or not spent.tokens else used(spent.tokens, spent.cost)


def countdown_words(wait: Countdown) -> str:
    """"Again in 12 s: rate limited"; the time comes first, as a narrow line cuts the rest."""
    reason = " ".join(wait.reason.split()).rstrip(".")
    seconds = max(0, ceil(wait.seconds))
    if not reason:
        return tr("Again in {seconds} s", seconds=seconds)
    return tr("Again in {seconds} s: {reason}", seconds=seconds, reason=reason)


def _tokens(count: int) -> str:
    return trn("{count:,} token", "{count:,} tokens", count)

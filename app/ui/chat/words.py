"""Statuses and long words as the chat writes them; no Qt."""

from __future__ import annotations

import re

from agent.plan.ledger import StepState
from app.i18n import tr, trn
from app.viewmodels.chat.asking import Asking
from app.viewmodels.chat.waiting import Waiting
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.running import Running
from app.viewmodels.texts.money import countdown_words

_LONG = re.compile(r"(\S{28})(?=\S)")


def breakable(text: str) -> str:
    """The text with zero-width spaces, so that overlong words may break."""
    return _LONG.sub("\\1\u200b", text)


def status(asking: Asking, running: Running, queue: Waiting) -> str:
    """What is being done, in one line; empty for nothing."""
    said = _doing(asking, running)
    planned = any(entry.waits_for == "plan" for entry in queue.requests)
    if not said and planned:
        said = tr("Planning the request that waited")
    waiting = len(asking.waiting.value) + (len(queue.requests) - planned if said else 0)
    if waiting:
        waits = trn("{count} request waits", "{count} requests wait", waiting)
        said = f"{said} · {waits}" if said else waits
    return said


def used_so_far(asking: Asking) -> str:
    """The tokens that the planner has used for the current request, in words; empty for none, and while it waits to try
    again."""
    spent = asking.spent.value
    told = asking.doing.value and asking.countdown.value is None and spent is not None and spent.tokens
    if not told or spent is None:
        return ""
    return trn("{number} token", "{number} tokens", spent.tokens, number=f"{spent.tokens:,}")


def can_stop(asking: Asking, running: Running) -> bool:
    """Whether the planner, a queued request or a run can be stopped."""
    live = running.live.value
    stoppable = live is not None and live.running and not live.stopping
    return bool(asking.doing.value or asking.waiting.value or stoppable)


def _doing(asking: Asking, running: Running) -> str:
    live = running.live.value
    if asking.countdown.value is not None:
        return countdown_words(asking.countdown.value)
    if asking.doing.value:
        rows = asking.rows.value
        doing = asking.doing.value
        if not rows:
            return doing
        return trn("{doing}, {count} step so far", "{doing}, {count} steps so far", rows, doing=doing)
    if live is not None and live.running:
        return _step(live)
    if asking.waiting.value and running.paused:
        return tr("The run is paused: go on with it or stop it first")
    if asking.waiting.value and running.unfinished.value is not None:
        return tr("A run was left in the middle: resume or end it first")
    return ""


def _step(live: LiveRun) -> str:
    if live.stopping:
        return tr("Stopping; what is done stays")
    if live.pausing:
        return tr("Pausing after the steps under way")
    states = [live.rows[step.id].state for step in live.plan.steps]
    at = next((n for n, state in enumerate(states, 1) if state is StepState.RUNNING), None)
    if at is None:
        at = min(len(states), sum(state is not StepState.WAITING for state in states) + 1)
    return tr("Running step {at} of {count}", at=at, count=len(states))

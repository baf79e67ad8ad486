"""Statuses and long words as the chat writes them; no Qt."""

from __future__ import annotations

import re

from agent.plan.ledger import StepState
from app.desktop.asking import Asking
from app.desktop.figures import counted
from app.desktop.live_run import LiveRun
from app.desktop.money import countdown_words
from app.desktop.running import Running
from app.desktop.waiting import Waiting

_LONG = re.compile(r"(\S{28})(?=\S)")


def breakable(text: str) -> str:
    """The text with places where a word that is too long for its line may break."""
    return _LONG.sub("\\1\u200b", text)


def status(asking: Asking, running: Running, queue: Waiting) -> str:
    """What goes on, in one line; empty when nothing does."""
    said = _doing(asking, running)
    planned = any(entry.waits_for == "plan" for entry in queue.requests)
    if not said and planned:
        said = "Planning the request that waited"
    waiting = len(asking.waiting.value) + (len(queue.requests) - planned if said else 0)
    if waiting:
        waits = f"{counted(waiting, 'request')} {'waits' if waiting == 1 else 'wait'}"
        said = f"{said} · {waits}" if said else waits
    return said


def used_so_far(asking: Asking) -> str:
    """The tokens that what is being planned has used; empty for none, and while only waiting is told."""
    spent = asking.spent.value
    told = asking.doing.value and asking.countdown.value is None and spent is not None and spent.tokens
    return counted(spent.tokens, "token") if told and spent is not None else ""


def can_stop(asking: Asking, running: Running) -> bool:
    """Whether there is something to stop."""
    live = running.live.value
    stoppable = live is not None and live.running and not live.stopping
    return bool(asking.doing.value or asking.waiting.value or stoppable)


def _doing(asking: Asking, running: Running) -> str:
    live = running.live.value
    if asking.countdown.value is not None:
        return countdown_words(asking.countdown.value)
    if asking.doing.value:
        rows = asking.rows.value
        return f"{asking.doing.value}, {counted(rows, 'step')} so far" if rows else asking.doing.value
    if live is not None and live.running:
        return _step(live)
    if asking.waiting.value and running.paused:
        return "The run is paused: go on with it or stop it first"
    if asking.waiting.value and running.unfinished.value is not None:
        return "A run was left in the middle: resume or end it first"
    return ""


def _step(live: LiveRun) -> str:
    if live.stopping:
        return "Stopping; what is done stays"
    if live.pausing:
        return "Pausing after the steps under way"
    states = [live.rows[step.id].state for step in live.plan.steps]
    at = next((n for n, state in enumerate(states, 1) if state is StepState.RUNNING), None)
    if at is None:
        at = min(len(states), sum(state is not StepState.WAITING for state in states) + 1)
    return f"Running step {at} of {len(states)}"

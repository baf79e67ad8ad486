"""Work that nobody waits for: who owns tasks starts it, and tells what becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeAlias

Begin: TypeAlias = Callable[[Callable[[], Coroutine[None, None, None]]], object]
"""Starts work that nobody awaits."""


def begun(work: Callable[[], Coroutine[None, None, None]]) -> asyncio.Future[None]:
    """Start work on the running loop, for callers that have no owner of tasks."""
    return asyncio.ensure_future(work())

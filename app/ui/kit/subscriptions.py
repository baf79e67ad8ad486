"""A view's subscriptions, ended together when the view closes."""

from __future__ import annotations

from collections.abc import Callable


class Subscriptions:
    """Functions that end a view's subscriptions, called together when it closes."""

    def __init__(self) -> None:
        self._silencers: list[Callable[[], None]] = []

    def add(self, silence: Callable[[], None]) -> None:
        """Add a function that ends one subscription."""
        self._silencers.append(silence)

    def close(self) -> None:
        """End all subscriptions."""
        while self._silencers:
            self._silencers.pop()()

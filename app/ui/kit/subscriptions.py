"""A view's subscriptions, ended together when the view closes."""

from __future__ import annotations

from collections.abc import Callable


class Subscriptions:
    """Functions that end a view's subscriptions, called together when it closes."""

    def __init__(self) -> None:
        self._silencers: list[Callable[[], None]] = []
        self.add = self._silencers.append
        """Adds a function that ends one subscription."""

    def close(self) -> None:
        """End all subscriptions."""
        while self._silencers:
            self._silencers.pop()()

"""What a view listens to, ended together when the view closes."""

from __future__ import annotations

from collections.abc import Callable


class Subscriptions:
    """Keeps the functions that end listening."""

    def __init__(self) -> None:
        self._silencers: list[Callable[[], None]] = []

    def add(self, silence: Callable[[], None]) -> None:
        """Keep one more."""
        self._silencers.append(silence)

    def close(self) -> None:
        """End all."""
        while self._silencers:
            self._silencers.pop()()

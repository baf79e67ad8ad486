"""What the person types while a plan is made: kept in order, for every part that is planned."""

from __future__ import annotations

from collections.abc import Callable


class Steering:
    """What the person types while a plan is made. Every reader passes its own position, as reading the window's queue
    empties it."""

    def __init__(self, poll: Callable[[], tuple[str, ...]]) -> None:
        self._poll = poll
        self._words: list[str] = []

    def since(self, place: int) -> tuple[str, ...]:
        """The messages after the first `place` ones."""
        self._words += [word for word in self._poll() if word.strip()]
        return tuple(self._words[place:])

    @property
    def spoke(self) -> bool:
        """Whether anything was typed so far."""
        return bool(self._words)

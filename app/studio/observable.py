"""A typed event that others can listen to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Observable(Generic[T]):
    """An event source: calls every listener, in the order of subscription, with each emitted value."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[T], None]] = []
        self._guards: list[Callable[[Exception], None]] = []

    def listen(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Subscribe; the returned function unsubscribes."""
        self._listeners.append(listener)

        def silence() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return silence

    def guard(self, report: Callable[[Exception], None]) -> Callable[[], None]:
        """Hand what a listener raises to `report`, so that it does not reach the one who emits, as it does without; of
        several guards the newest is told. The returned function ends that."""
        self._guards.append(report)
        return lambda: self._guards.remove(report)

    @property
    def heard(self) -> bool:
        """Whether there are any listeners."""
        return bool(self._listeners)

    def emit(self, value: T) -> None:
        """Call all current listeners with a value."""
        for listener in tuple(self._listeners):
            try:
                listener(value)
            except Exception as fault:
                if not self._guards:
                    raise
                self._guards[-1](fault)

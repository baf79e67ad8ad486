"""A value that others can watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from app.studio.observable import Observable

T = TypeVar("T")


class Watched(Generic[T]):
    """Holds a value; `changed` emits the new one when it changes."""

    def __init__(self, value: T) -> None:
        self._value = value
        self.changed: Observable[T] = Observable()

    @property
    def value(self) -> T:
        """The current value."""
        return self._value

    def set(self, value: T) -> None:
        """Set the value; an equal one emits nothing."""
        if value is self._value or value == self._value:
            return
        self._value = value
        self.changed.emit(value)

    def watch(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Call the listener with the current value and each later one; the returned function ends that."""
        listener(self._value)
        return self.changed.listen(listener)

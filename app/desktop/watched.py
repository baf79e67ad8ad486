"""A value that others can watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from app.studio.observable import Observable

T = TypeVar("T")


class Watched(Generic[T]):
    """Holds one value; `changed` tells the new one whenever it becomes another."""

    def __init__(self, value: T) -> None:
        self._value = value
        self.changed: Observable[T] = Observable()

    @property
    def value(self) -> T:
        """The value now."""
        return self._value

    def set(self, value: T) -> None:
        """Hold another value; an equal one tells nobody."""
        if value is self._value or value == self._value:
            return
        self._value = value
        self.changed.emit(value)

    def watch(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Tell the listener the value now and each later one; the returned function ends that."""
        listener(self._value)
        return self.changed.listen(listener)

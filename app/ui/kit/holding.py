"""The drag under way in a painted view, and the last one for as long as the song does not have its edit."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar


class Drag(Protocol):
    """What can be begun and given up."""

    def cancel(self) -> None:
        """Leave all as it was."""


D = TypeVar("D", bound=Drag)


class Holding(Generic[D]):
    """`held` is under way; `settling` was let go, and is shown until it is forgotten or another takes its place."""

    def __init__(self) -> None:
        self.held: D | None = None
        self.settling: D | None = None

    @property
    def shown(self) -> D | None:
        """The drag to paint."""
        return self.held or self.settling

    def take(self, drag: D | None) -> None:
        """Begin a drag, if there is one."""
        self.held = drag

    def let_go(self, *, shown: bool = True) -> D | None:
        """End the drag under way, which its owner then carries out; it is `shown` until the song has its edit."""
        held, self.held = self.held, None
        if held is not None:
            self.settling = held if shown else None
        return held

    def cancel(self) -> bool:
        """End the drag without its effect; whether there was one."""
        held, self.held = self.held, None
        if held is not None:
            held.cancel()
        return held is not None

    def forget(self) -> None:
        """Nothing is dragged, and nothing shown any more."""
        self.cancel()
        self.settling = None

"""How far planning by a model may go."""

from __future__ import annotations

from msgspec import Struct

SMALL_CONTEXT = 16_384
_DEFAULT_CONTEXT = 100_000


class PlanningLimits(Struct, frozen=True):
    """The bounds of one planning. `context` overrides the model's window (tokens), `small` the choice of the mode
    for models with a short memory; None leaves both to what the provider says."""

    context: int | None = None
    small: bool | None = None
    reads: int = 6
    continues: int = 3
    reflections: int = 3
    parts: int = 5
    first_output: int = 4_000
    most_output: int = 32_000
    spare: int = 400

    def window(self, said: int | None) -> int:
        """The window to plan for, where the provider says `said`."""
        if self.small and self.context is None:
            return min(said or 8_192, SMALL_CONTEXT)
        return self.context or said or _DEFAULT_CONTEXT

    def is_small(self, said: int | None) -> bool:
        """Whether a model is treated as one with a short memory."""
        return self.window(said) <= SMALL_CONTEXT if self.small is None else self.small

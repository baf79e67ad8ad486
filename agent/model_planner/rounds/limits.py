"""How far planning by a model may go."""

from __future__ import annotations

from msgspec import Struct

SMALL_CONTEXT = 16_384
_DEFAULT_CONTEXT = 100_000


class PlanningLimits(Struct, frozen=True):
    """The limits of one planning. `context` overrides the model's window (tokens), `small` the mode for models with a
    small window; None leaves both to what the provider says. `reads`, `continues`, `reflections` and `parts` are
    numbers of tool rounds, continuations, correction rounds and parts. `first_output` is the least and `most_output`
    the greatest length of an answer, `spare` what is left free in the window, all in tokens."""

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
        """The context window in tokens to plan with; `said` is the provider's value, None if unknown."""
        if self.small and self.context is None:
            return min(said or 8_192, SMALL_CONTEXT)
        return self.context or said or _DEFAULT_CONTEXT

    def is_small(self, said: int | None) -> bool:
        """Whether the model is treated as one with a small window; `said` is the provider's value in tokens, None if
        unknown."""
        return self.window(said) <= SMALL_CONTEXT if self.small is None else self.small

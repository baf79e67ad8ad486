"""Finishing: what is settled about tasks once all of a request is read."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.understanding.items import Measure
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import (
    Add,
    Colour,
    Deed,
    Mix,
    Reharmonise,
    Remeter,
    Reshape,
    Restyle,
    Task,
    Transpose,
)
from agent.composer.understanding.wishes import Wish

_LEAST, _MOST = 0.01, 1.5


def blended(tasks: list[Task]) -> list[Task]:
    """Two styles for the same place are one blend; the one said last weighs most, as in every change."""
    found: list[Task] = []
    for task in tasks:
        deed = task.deed
        at = next(
            (k for k, done in enumerate(found) if isinstance(done.deed, Restyle) and done.scope == task.scope), None
        ) if isinstance(deed, Restyle) else None
        if at is None or not isinstance(deed, Restyle):
            found.append(task)
            continue
        earlier = found[at].deed
        assert isinstance(earlier, Restyle)
        others = [name for name in (*deed.others, earlier.style, *earlier.others) if name != deed.style]
        found[at] = structs.replace(found[at], deed=Restyle(deed.style, tuple(dict.fromkeys(others))))
    return found


def fulfilled(tasks: Sequence[Task], lexicon: Lexicon) -> tuple[list[Task], tuple[str, ...]]:
    """The tasks without those whose end the song has reached, and what it is already: "a waltz already, in 3/4"."""
    song = lexicon.song
    left: list[Task] = []
    already: list[str] = []
    for task in tasks:
        deed = task.deed
        if not isinstance(deed, Remeter) or not song.note_count or not task.scope.whole or any(
            (meter.beats, meter.unit) != (deed.beats, deed.unit) for meter in song.meters
        ):
            left.append(task)
            continue
        meter = f"{deed.beats}/{deed.unit}"
        said = next((word for word in lexicon.words.meters.get(meter, ()) if f" a {word}" in f" {task.words}"), "")
        already.append(f"a {said} already, in {meter}" if said else f"in {meter} already")
    return left, tuple(already)


def about(deed: Deed, named: tuple[Wish, ...]) -> Deed:
    """A deed about all parts as one about the part that was named."""
    if isinstance(deed, Mix | Reshape | Transpose | Colour) and deed.wish is None and named:
        return structs.replace(deed, wish=named[0])
    return deed


def amount_of(measures: Sequence[Measure], deed: Deed, own: float = 1.0) -> float:
    """How far a deed goes, whose words by themselves go as far as `own`.

    A percentage that is a factor already is not counted again.
    """
    if not measures or (measures[0].exact and getattr(deed, "factor", 1.0) != 1.0):
        return 1.0 if isinstance(deed, Add | Reharmonise) else own
    return max(_LEAST, min(_MOST, measures[0].factor * own))

"""Techniques: ways of playing and devices of writing that a new piece is asked for by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from agent.composer.tokens import tokens_in
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.names import Names
from agent.composer.understanding.ordering import OrderReader
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.tasks import Task
from agent.composer.understanding.wishes import Wish


@dataclass
class Techniques:
    """Techniques named for a new piece: instruments to play so (`wishes`), tasks for the finished piece, and the
    indices of the tokens that named them."""

    wishes: list[Wish] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    tokens: set[int] = field(default_factory=set)


def techniques_in(
    tokens: Sequence[str], owned: Collection[int], lexicon: Lexicon, readings: Mapping[str, SlotReading]
) -> Techniques:
    """The techniques that casefolded tokens name and that can be played; tokens `owned` by something else name none.

    A refused one ("no slap bass") is left to be reported.
    """
    refusing = {*lexicon.words.groups["no"], *lexicon.words.bindings.inverse}
    found = Techniques()
    at = 0
    while at < len(tokens):
        match = lexicon.standing.techniques.longest_at(tokens, at)
        if match is None or any(place in owned for place in range(at, at + match[0])):
            at += 1
            continue
        wish = lexicon.wish_at(match[1].plays.split(), 0) if match[1].plays else None
        tasks = ordered(match[1].order, lexicon, readings) if match[1].order else []
        if (wish is not None or tasks) and not (at and tokens[at - 1] in refusing):
            found.wishes += [wish[1]] if wish is not None else []
            found.tasks += tasks
            found.tokens |= set(range(at, at + match[0]))
        at += match[0]
    return found


def ordered(order: str, lexicon: Lexicon, readings: Mapping[str, SlotReading]) -> list[Task]:
    """The tasks that a request asks for which stands for a technique: `order` is the text of `Technique.order`."""
    places = tokens_in(order)
    spoken = [token.text for token in places]
    figures = Figures(spoken, [word.casefold() for word in spoken], lexicon)
    return list(OrderReader(lexicon, readings, spoken, figures, Names(order, places)).read().tasks)

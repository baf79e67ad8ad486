"""Attributes: how a part that comes in plays, told by the words before it: "a low, quiet cello"."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.part_words import Attribute
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Add, Mix, Reshape, Transpose
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish

_OCTAVE = 12


def attributes_of(operations: Sequence[Operation], words: Sequence[Item], lexicon: Lexicon) -> tuple[Operation, ...]:
    """Operations on the part that `operations` add, for adjectives among the words: "a low, quiet cello". Empty unless
    exactly one part is added."""
    added = [operation.wish for operation in operations if isinstance(operation, Add)]
    if lexicon.words.parts is None or len(added) != 1:
        return ()
    said = {item.text for item in words if item.kind == "word"} - set(added[0].label.casefold().split())
    names = (name for name, phrases in lexicon.words.parts.attributes.items() if said & set(phrases))
    made = (_made(name, added[0]) for name in names)
    return tuple(operation for operation in made if operation is not None)


def _made(name: Attribute, wish: Wish) -> Operation | None:
    match name:
        case "higher" | "lower":
            return Transpose(_OCTAVE if name == "higher" else -_OCTAVE, wish)
        case "louder" | "quieter":
            return Mix("level", 1.0 if name == "louder" else -1.0, wish)
        case "sparser" | "denser":
            return Reshape("simplify" if name == "sparser" else "thicken", wish)
        case _:
            return None

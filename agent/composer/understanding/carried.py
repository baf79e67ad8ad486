"""Carried on: what a bare "and" says of the parts before it, and the words before a part that comes in say of it."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.part_words import Attribute
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Add, Mix, Replace, Reshape, Transpose
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.tasks import Operation, Task
from agent.composer.understanding.wishes import Wish


class Carried:
    """Finds which parts a clause fragment is about that names none and goes on from the one before: "the bass louder
    and a bit brighter". `items` are those of the request."""

    def __init__(self, lexicon: Lexicon, items: Sequence[Item]) -> None:
        grammar = lexicon.words.grammar
        self._items = items
        self._heads = frozenset(grammar.heads)
        self._apart = frozenset((*grammar.whole, *lexicon.words.framing.universal))

    def parts(self, pieces: Sequence[Piece], number: int, tasks: Sequence[Task]) -> tuple[Wish, ...]:
        """The parts of the fragment before `pieces[number]`, if the latter names none and only continues it; empty
        otherwise. `tasks` are those made so far.

        A fragment that begins with a verb or is about all parts does not continue, nor does one after a part that is
        added, removed or exchanged.
        """
        piece = pieces[number]
        if not number or not piece.joined or pieces[number - 1].sentence != piece.sentence or not piece.items:
            return ()
        if piece.headed and piece.refs and all(ref.bare for ref in piece.refs):
            # "the synth louder and the verse quieter"
            return ()
        said = [self._items[at].text for at in piece.items]
        if said[0] in self._heads or self._apart & set(said):
            return ()
        done = [task.operation for task in tasks if number - 1 in task.clauses]
        if any(isinstance(one, Add | Replace) or one.of_absence for one in done):
            return ()
        wishes = [getattr(one, "wish", None) for one in done]
        return tuple(dict.fromkeys(wish for wish in wishes if isinstance(wish, Wish)))


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

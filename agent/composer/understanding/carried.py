"""Carried on: a bare "and" says more of the parts before it: "the bass softer and an octave lower"."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Add, Replace
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.tasks import Task
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

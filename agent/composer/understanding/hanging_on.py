"""Hanging on: what points back at something, or depends on a condition, that was not understood is told with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from agent.composer.operation_words import OperationWords
from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.items import Item, Referring
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import FormFit
from agent.composer.understanding.ownership import CANNOT, DESCRIBED, REASON, quoted
from agent.composer.understanding.parting import begun
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.wishes import Wish

WHEN = "I do not see when that is so"
_OPENING = 2
"""Words of a piece among which its condition begins."""
_TAKING = "remove"
_OF_PARTS = ("mix", "colour", "reshape", "articulate", "transpose")
"""Operations that are done to what "it" means, although their forms need name no part."""


class HangingOn:
    """Finds clause fragments ("pieces") that depend on something not understood: an order after "if the zorp plays".
    `light` are the items without a meaning of their own."""

    def __init__(
        self, lexicon: Lexicon, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]],
        light: Collection[int],
    ) -> None:
        grammar = lexicon.words.grammar
        self._lexicon = lexicon
        self._items = items
        self._finds = finds
        self._light = light
        self._conditional = phrase_set(grammar.conditional)
        self._referring = frozenset(grammar.referring) - frozenset(grammar.determiners)
        self._plural = frozenset(grammar.plural)
        self._music = frozenset((*grammar.nouns, *grammar.graded))
        self._bringing = frozenset((*grammar.adding, *grammar.exchanging))
        self._verbs = self._bringing | (frozenset(grammar.heads) - frozenset(grammar.empty))

    def mark(self, pieces: Sequence[Piece]) -> None:
        """Set `doubt` on pieces (clause fragments) that depend on an unknown condition or refer to something unknown,
        and set `about` where a part that "it" may mean is named."""
        for piece in pieces:
            if self._is_condition(piece) and self._of_music(piece):
                for other in pieces:
                    if other.sentence == piece.sentence and other is not piece and other.operations:
                        other.doubt = other.doubt or WHEN
        before: Piece | None = None
        behind: list[Piece] = []
        for piece in pieces:
            if not piece.items or piece.aside:
                continue
            self._doubt_whom(behind, piece)
            done = bool(piece.operations) and not piece.doubt
            behind = [] if done else [*(one for one in behind if one.sentence == piece.sentence), piece]
            if before is not None and before.sentence == piece.sentence and self._undone(before):
                self._carry(before, piece)
            before = piece

    def _carry(self, before: Piece, piece: Piece) -> None:
        """What "it" means in a piece behind one that was not understood: the one part of the song that this names."""
        if not (piece.operations and not piece.doubt and self._points_back(piece)):
            return
        named = self._named_in(before)
        if len(named) == 1 and self._lexicon.has(named[0]) and not self._brings(before):
            before.about = tuple(named)
        else:
            piece.doubt = before.doubt or CANNOT

    def _doubt_whom(self, behind: Sequence[Piece], piece: Piece) -> None:
        """Doubt what takes away "it" or "his" behind orders of which nothing was made and that name several parts."""
        taken = any(self._finds[at].payload.operation == _TAKING for at in piece.operations)
        said = [at for at in piece.items if self._items[at].text in self._referring - self._plural]
        behind = [one for one in behind if one.sentence == piece.sentence]
        told = any(map(self._undone, behind))
        if piece.doubt or not (taken and said and told and self._points_back(piece)):
            return
        named = [self._lexicon.meant(wish) or (wish.label,) for one in behind for wish in self._named_in(one)]
        if len(set(named)) > 1:
            piece.doubt = f"I do not see what {quoted([self._items[said[0]].text])} means there"

    def _is_condition(self, piece: Piece) -> bool:
        """Whether a piece begins as a condition and was not read as one: "if there is a lower note"."""
        if piece.aside or (piece.operations and not piece.doubt):
            return False
        words = [at for at in piece.items if self._items[at].kind == "word"]
        if any(self._items[at].kind == "condition" for at in piece.items):
            # "in case any" was read of "in case any note is too high"
            return any(at not in self._light for at in piece.loose)
        return any(begun(self._items, at, self._conditional) for at in words[:_OPENING])

    def _of_music(self, piece: Piece) -> bool:
        texts = [self._items[at].text for at in piece.items]
        named = any(text in self._music or self._lexicon.names_something(text) for text in texts)
        return named or bool(piece.refs or self._named_in(piece))

    def _undone(self, piece: Piece) -> bool:
        """Whether a piece is an order that is told."""
        if piece.operations or piece.doubt:
            return bool(piece.doubt) and piece.doubt not in (REASON, DESCRIBED)
        strange = any(at not in self._light for at in piece.loose)
        return strange and not piece.limits and any(self._items[at].text in self._verbs for at in piece.items)

    def _points_back(self, piece: Piece) -> bool:
        finds = [self._finds[at] for at in piece.operations]
        refers = any(self._items[at].text in self._referring for at in piece.items)
        return any(
            found.value("part") == (Referring(),)
            or (found.value("part") is None and found.payload.operation in _OF_PARTS and refers)
            for found in finds
        )

    def _brings(self, piece: Piece) -> bool:
        """Whether a piece brings in or exchanges something, so that "it" may be what is new."""
        return any(self._items[at].text in self._bringing for at in piece.items)

    def _named_in(self, piece: Piece) -> list[Wish]:
        found: dict[Wish, None] = {}
        end = 0
        for at in sorted(piece.items):
            named = self._lexicon.wish_at([item.text for item in self._items[at : at + 5]], 0) if at >= end else None
            if named is not None:
                end, found[named[1]] = at + named[0], None
        return [*found]

"""Clauses: which place, measure and condition belongs to which deed of a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from agent.composer.understanding.items import If, Item, Measure, PlaceRef


@dataclass
class Piece:
    """A stretch between two commas or joins: the deeds it asks for (as numbers), and its marks."""

    sentence: int
    clause: int
    leads: bool
    """Whether a comma stands before it."""
    deeds: list[int] = field(default_factory=list)
    refs: list[PlaceRef] = field(default_factory=list)
    measures: list[Measure] = field(default_factory=list)
    conditions: list[If] = field(default_factory=list)

    @property
    def empty_after_comma(self) -> bool:
        """Whether nothing stands between the comma before it and its end, as in ", and"."""
        return self.leads and not (self.deeds or self.refs or self.measures or self.conditions)

    def add(self, item: Item) -> None:
        """Take a mark in."""
        value = item.value
        if isinstance(value, PlaceRef):
            self.refs.append(value)
        elif isinstance(value, Measure):
            self.measures.append(value)
        elif isinstance(value, If):
            self.conditions.append(value)


def settle(pieces: Sequence[Piece]) -> None:
    """Give every piece with deeds the marks that are said elsewhere but meant for it too."""
    _forward(pieces)
    _backward(pieces)
    for before, piece in pairwise(pieces):
        if piece.deeds and before.deeds and before.clause == piece.clause:
            piece.refs = piece.refs or list(before.refs)
            piece.measures = piece.measures or [measure for measure in before.measures if not measure.exact]
            piece.conditions = piece.conditions or list(before.conditions)
    for piece, after in reversed(list(pairwise(pieces))):
        if piece.deeds and after.deeds and after.clause == piece.clause and not piece.refs:
            piece.refs = list(after.refs)


def _forward(pieces: Sequence[Piece]) -> None:
    """Marks before the first deed of a sentence are for what follows in it."""
    for at, piece in enumerate(pieces):
        if piece.deeds or not (piece.refs or piece.conditions or piece.measures):
            continue
        following = [later for later in pieces[at + 1 :] if later.sentence == piece.sentence]
        earlier = any(before.deeds for before in pieces[:at] if before.sentence == piece.sentence)
        if earlier and not piece.conditions:
            continue
        served = False
        for later in following:
            if served and later.leads and piece.conditions:
                break
            if served and (later.refs and not piece.conditions):
                break
            if later.deeds:
                served = True
                if not later.refs:
                    later.refs = list(piece.refs)
                later.conditions = later.conditions or list(piece.conditions)
                later.measures = later.measures or list(piece.measures)
            elif later.refs and not served:
                piece.refs += later.refs
                later.refs = []
        if served:
            piece.refs, piece.conditions, piece.measures = [], [], []


def _backward(pieces: Sequence[Piece]) -> None:
    """Marks after a deed, set off by a comma or a join, are for the clause before them."""
    for at, piece in enumerate(pieces):
        if piece.deeds or not (piece.refs or piece.measures or piece.conditions):
            continue
        before = next((earlier for earlier in reversed(pieces[:at]) if earlier.deeds), None)
        if before is None:
            continue
        for earlier in pieces[:at]:
            if earlier.deeds and earlier.clause == before.clause:
                earlier.refs = [*earlier.refs, *(ref for ref in piece.refs if ref not in earlier.refs)]
                earlier.measures = earlier.measures or list(piece.measures)
                earlier.conditions = earlier.conditions or list(piece.conditions)
        piece.refs, piece.measures, piece.conditions = [], [], []

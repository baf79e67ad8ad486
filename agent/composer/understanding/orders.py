"""Orders: what the pieces of a request ask to be done to a song, as tasks in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from agent.composer.understanding.clauses import Piece
from agent.composer.understanding.deeds import Context, deeds_of
from agent.composer.understanding.finishing import about, amount_of, blended
from agent.composer.understanding.items import If, Item, PlaceRef, Referring
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Found
from agent.composer.understanding.scopes import scope_of
from agent.composer.understanding.tasks import (
    Condition,
    Deed,
    Named,
    NewSection,
    Place,
    Restyle,
    Retempo,
    Task,
)
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import DeedWords

MOST_TASKS = 40
_PARTS = ("part", "played", "refused")


@dataclass
class Orders:
    """What was read: tasks in order, what is kept, and parts named without a deed."""

    tasks: list[Task] = field(default_factory=list)
    kept: list[Wish] = field(default_factory=list)
    aspects: list[str] = field(default_factory=list)
    spared: list[Place] = field(default_factory=list)
    mentioned: list[Wish] = field(default_factory=list)
    blend: Restyle | None = None
    explained: set[str] = field(default_factory=set)
    """Words that belong to the grammar of the language, whatever else they are."""


class Fulfilment:
    """Turns what was found in a request into orders; what was named and done last is its state."""

    def __init__(self, lexicon: Lexicon, items: Sequence[Item], orders: Orders) -> None:
        self._lexicon = lexicon
        self._items = items
        self._orders = orders
        self._named: tuple[Wish, ...] = ()
        self._all_named: list[Wish] = []
        self._last: Deed | None = None
        self._referring = frozenset(lexicon.words.grammar.referring)

    def run(self, pieces: Sequence[Piece], finds: Mapping[int, Found[DeedWords]]) -> None:
        """Fill the orders."""
        for found in finds.values():
            for slot in _PARTS:
                parts = found.value(slot)
                wishes = [part for part in parts if isinstance(part, Wish)] if isinstance(parts, tuple) else []
                self._all_named += [wish for wish in wishes if wish not in self._all_named]
        for piece in pieces:
            condition = piece.conditions[0] if piece.conditions else None
            if condition is not None and isinstance(condition.wish, Wish):
                self._named = (condition.wish,)
            for at in piece.deeds:
                self._meet(finds[at], at, piece, condition)
        self._finish()

    def _meet(self, found: Found[DeedWords], at: int, piece: Piece, condition: If | None) -> None:
        measure = piece.measures[0] if piece.measures else None
        context = Context(self._lexicon, self._named, measure, tuple(self._all_named), self._last)
        wishes = next((wishes for slot in _PARTS if (wishes := context.wishes(found, slot))), ())
        if found.payload.deed in ("keep", "spare"):
            self._keep(found, wishes)
            self._named = wishes or self._named
            return
        section = found.value("section")
        if found.payload.deed == "repeat" and isinstance(section, str) and not piece.refs:
            piece.refs = [PlaceRef((Named(section, -1),))]
        words = " ".join(item.text for item in self._items[at : found.end])
        for deed in deeds_of(found, context):
            if condition is not None and condition.present and self._points_back(at, found):
                deed = about(deed, self._named)
            self._order(deed, piece, condition, words, found.payload.amount)
        self._named = wishes or self._named

    def _points_back(self, at: int, found: Found[DeedWords]) -> bool:
        """Whether "it" stands in or right before a form, as in "make it louder"."""
        near = self._items[max(0, at - 1) : found.end]
        return any(item.kind == "word" and item.text in self._referring for item in near)

    def _keep(self, found: Found[DeedWords], wishes: tuple[Wish, ...]) -> None:
        place, aspect = found.value("place"), found.value("aspect")
        if isinstance(place, PlaceRef):
            self._orders.spared += place.places
        elif isinstance(aspect, str):
            self._orders.aspects.append(aspect)
        self._orders.kept += [wish for wish in wishes if wish not in self._orders.kept]

    def _order(self, deed: Deed, piece: Piece, condition: If | None, words: str, own: float) -> None:
        scope, after = scope_of(piece.refs, self._lexicon.song, new=isinstance(deed, NewSection))
        if isinstance(deed, NewSection) and after:
            deed = structs.replace(deed, after=True)
        met = None
        if condition is not None:
            meant = getattr(deed, "wish", None) or (self._named[0] if self._named else None)
            wish = meant if isinstance(condition.wish, Referring) else condition.wish
            met = Condition(wish, condition.present) if isinstance(wish, Wish) else None
        if isinstance(deed, Restyle) and deed.others:
            self._orders.blend = deed
        self._last = deed
        task = Task(deed, scope, amount_of(piece.measures, deed, own), met, words[:200])
        if not any(task.deed == done.deed and task.scope == done.scope for done in self._orders.tasks):
            self._orders.tasks.append(task)

    def _finish(self) -> None:
        orders = self._orders
        if "length" in orders.aspects:
            orders.tasks = [
                structs.replace(task, deed=structs.replace(task.deed, keep_length=True))
                if isinstance(task.deed, Retempo) else task
                for task in orders.tasks
            ]
        if orders.spared:
            orders.tasks = [
                structs.replace(task, scope=structs.replace(
                    task.scope, excluded=(*task.scope.excluded, *orders.spared)
                ))
                for task in orders.tasks
            ]
        orders.tasks = blended(orders.tasks)[:MOST_TASKS]

"""Orders: everything that a request asks to be done to a song, as tasks in its order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import structs

from agent.composer.phrasing import words_of
from agent.composer.tokens import tokens_of
from agent.composer.understanding.clauses import Piece, settle
from agent.composer.understanding.deeds import Context, deeds_of
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.finishing import about, amount_of, blended
from agent.composer.understanding.items import If, Item, PlaceRef, Referring, items_of, merged
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.marks import MarkReader
from agent.composer.understanding.matching import Found, Matcher
from agent.composer.understanding.places import PlaceReader
from agent.composer.understanding.scopes import scope_of
from agent.composer.understanding.slots import SlotReader
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
MOST_WORDS = 1_500
"""Words in which orders are looked for; nobody asks for more in one request."""
_PARTED = ("comma", "stop", "break")


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


class OrderReader:
    """Reads requests in one language about one song."""

    def __init__(self, lexicon: Lexicon, spoken: list[str], figures: Figures) -> None:
        words = lexicon.words
        self._lexicon = lexicon
        self._tokens = [token.casefold() for token in spoken[:MOST_WORDS]]
        forms = [
            (words.form(form), deed) for deed in words.deeds for form in deed.forms
        ]
        grammar = words.grammar
        skip = frozenset(grammar.skip)
        self._joins = frozenset((*grammar.joins, *grammar.either))
        self._breaks = sorted((tuple(tokens_of(phrase)) for phrase in grammar.breaks), key=len, reverse=True)
        self._heads = frozenset(grammar.heads)
        self._skip = skip
        fixed = {word for elements, _ in forms for word in words_of(elements)} - skip
        self._fixed = frozenset(fixed)
        self._slots = SlotReader(lexicon, figures, self._fixed)
        self._deeds: Matcher[DeedWords] = Matcher(forms, skip, self._slots)
        self._slots.opens = self._opens
        self._marks = MarkReader(lexicon, self._slots)
        self._places = PlaceReader(lexicon, self._slots)

    def read(self) -> Orders:
        """The orders of the request."""
        items = self._marks.conditions(items_of(self._tokens))
        items = self._parted(self._places.read(items))
        items = self._marks.amounts(items, self._deeds)
        finds = self._finds(items)
        if any(item.kind == "word" for item in items):
            items, finds = self._loose(items, finds)
        orders = Orders(explained={
            *self._fixed, *self._skip, *self._heads, *self._joins, *self._marks.known, *self._places.known,
            *(word for phrase in self._breaks for word in phrase), *self._lexicon.words.grammar.referring,
        })
        pieces = self._pieces(items, finds, orders)
        settle(pieces)
        self._fulfil(pieces, finds, items, orders)
        return orders

    def _parted(self, items: Sequence[Item]) -> list[Item]:
        """The items with the words that begin a clause as items of their own kind."""
        found: list[Item] = []
        at = 0
        while at < len(items):
            texts = tuple(item.text for item in items[at : at + 3])
            length = next((len(phrase) for phrase in self._breaks if texts[: len(phrase)] == phrase), 0)
            if length and items[at].kind == "word":
                found.append(merged(items, at, at + length, "break", None))
            else:
                found.append(items[at])
            at += length or 1
        return found

    def _opens(self, items: Sequence[Item], at: int) -> bool:
        """Whether a form begins with the part at an item and goes on beyond it."""
        found = self._deeds.best(items, at, "part")
        return found is not None and found.payload.deed != "replace"

    def _finds(self, items: Sequence[Item]) -> dict[int, Found[DeedWords]]:
        found: dict[int, Found[DeedWords]] = {}
        at = 0
        while at < len(items) and len(found) < MOST_TASKS:
            best = self._deeds.best(items, at) if items[at].kind in ("word", "place") else None
            if best is not None and best.payload.weak and self._gives_way(items, at, best):
                best = None
            if best is None:
                at += 1
            else:
                found[at] = best
                at = best.end
        return found

    def _gives_way(self, items: Sequence[Item], at: int, best: Found[DeedWords]) -> bool:
        for later in range(at + 1, best.end):
            other = self._deeds.best(items, later, "part") if items[later].kind == "word" else None
            if other is not None and other.end > best.end:
                return True
        return False

    def _loose(
        self, items: list[Item], finds: dict[int, Found[DeedWords]]
    ) -> tuple[list[Item], dict[int, Found[DeedWords]]]:
        """Section names that no deed took are places too: "chorus: darker"."""
        taken = {at for first, found in finds.items() for at in range(first, found.end)}
        row: list[Item] = []
        moved: dict[int, Found[DeedWords]] = {}
        at = 0
        while at < len(items):
            if at in taken:
                if at in finds:
                    shift = len(row) - at
                    moved[len(row)] = _shifted(finds[at], shift)
                row.append(items[at])
                at += 1
                continue
            end = next((later for later in range(at, len(items)) if later in taken), len(items))
            row += self._places.read(items[at:end], loose=True)
            at = end
        return row, moved

    def _pieces(self, items: Sequence[Item], finds: dict[int, Found[DeedWords]], orders: Orders) -> list[Piece]:
        pieces = [Piece(0, 0, leads=False)]
        sentence = clause = at = 0
        while at < len(items):
            item, found = items[at], finds.get(at)
            if found is not None:
                pieces[-1].deeds.append(at)
                for inner in items[at : found.end]:
                    pieces[-1].add(inner)
                at = found.end
                continue
            if item.kind in _PARTED or (item.kind == "word" and item.text in self._joins):
                sentence += item.kind == "stop"
                if item.kind == "stop" and item.text == ":":
                    sentence -= 1
                following = items[at + 1] if at + 1 < len(items) else None
                heads = following is not None and following.text.partition(" ")[0] in self._heads
                clause += item.kind in ("stop", "break") or heads
                pieces.append(Piece(sentence, clause, leads=item.kind != "word" or pieces[-1].empty_after_comma))
            elif item.kind == "word":
                self._mention(items, at, orders)
            else:
                pieces[-1].add(item)
            at += 1
        return pieces

    def _mention(self, items: Sequence[Item], at: int, orders: Orders) -> None:
        words = [item.text for item in items[at : at + 5]]
        found = self._lexicon.wish_at(words, 0)
        if found is not None and found[1] not in orders.mentioned:
            orders.mentioned.append(found[1])

    def _fulfil(
        self, pieces: Sequence[Piece], finds: dict[int, Found[DeedWords]], items: Sequence[Item], orders: Orders
    ) -> None:
        named: tuple[Wish, ...] = ()
        for piece in pieces:
            condition = piece.conditions[0] if piece.conditions else None
            if condition is not None and isinstance(condition.wish, Wish):
                named = (condition.wish,)
            for at in piece.deeds:
                found = finds[at]
                context = Context(self._lexicon, named, piece.measures[0] if piece.measures else None)
                if found.payload.deed in ("keep", "spare"):
                    named = self._keep(found, context, orders) or named
                    continue
                words = " ".join(item.text for item in items[at : found.end])
                section = found.value("section")
                if found.payload.deed == "repeat" and isinstance(section, str) and not piece.refs:
                    piece.refs = [PlaceRef((Named(section, -1),))]
                for deed in deeds_of(found, context):
                    if condition is not None and condition.present and self._points_back(items, at, found):
                        deed = about(deed, named)
                    self._order(deed, piece, condition, named, words, orders)
                named = context.wishes(found) or context.wishes(found, "refused") or named
        self._finish(orders)

    def _points_back(self, items: Sequence[Item], at: int, found: Found[DeedWords]) -> bool:
        """Whether "it" stands in or right before a form, as in "make it louder"."""
        near = {item.text for item in items[max(0, at - 1) : found.end] if item.kind == "word"}
        return bool(near & set(self._lexicon.words.grammar.referring))

    def _keep(self, found: Found[DeedWords], context: Context, orders: Orders) -> tuple[Wish, ...]:
        place, aspect = found.value("place"), found.value("aspect")
        if isinstance(place, PlaceRef):
            orders.spared += place.places
        elif isinstance(aspect, str):
            orders.aspects.append(aspect)
        wishes = context.wishes(found)
        orders.kept += [wish for wish in wishes if wish not in orders.kept]
        return wishes

    def _order(
        self, deed: Deed, piece: Piece, condition: If | None, named: tuple[Wish, ...], words: str, orders: Orders
    ) -> None:
        scope, after = scope_of(piece.refs, self._lexicon.song, new=isinstance(deed, NewSection))
        if isinstance(deed, NewSection) and after:
            deed = structs.replace(deed, after=True)
        met = None
        if condition is not None:
            about = getattr(deed, "wish", None) or (named[0] if named else None)
            wish = about if isinstance(condition.wish, Referring) else condition.wish
            met = Condition(wish, condition.present) if isinstance(wish, Wish) else None
        if isinstance(deed, Restyle) and deed.others:
            orders.blend = deed
        task = Task(deed, scope, amount_of(piece.measures, deed), met, words[:200])
        if not any(task.deed == done.deed and task.scope == done.scope for done in orders.tasks):
            orders.tasks.append(task)

    def _finish(self, orders: Orders) -> None:
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


def _shifted(found: Found[DeedWords], by: int) -> Found[DeedWords]:
    return Found(found.end + by, found.payload, found.values, found.weight)

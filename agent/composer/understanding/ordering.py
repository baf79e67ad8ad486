"""Ordering: finds every form of speech in a request and parts it into clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from agent.composer.operation_words import OperationWords
from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.aside_pieces import AsidePieces
from agent.composer.understanding.asides import Asides
from agent.composer.understanding.assigning import AssigningReader
from agent.composer.understanding.bar_numbers import BarNumbers, ClockTimes
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.frames import FrameReader
from agent.composer.understanding.hanging_on import HangingOn
from agent.composer.understanding.heirs import HeirReader
from agent.composer.understanding.items import Item, items_of
from agent.composer.understanding.kept_lists import KeptListReader
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.marks import MarkReader
from agent.composer.understanding.matching import FormFit, Matcher
from agent.composer.understanding.names import Names
from agent.composer.understanding.orders import MOST_TASKS, Fulfilment, Orders
from agent.composer.understanding.ownership import Ownership, joined
from agent.composer.understanding.part_phrases import PartPhraseReader
from agent.composer.understanding.parting import PARTED, Parting, begun
from agent.composer.understanding.pieces import Piece, Subject, settle
from agent.composer.understanding.places import PlaceReader
from agent.composer.understanding.placing import place_parts
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.slots import SlotReader
from agent.composer.understanding.sounding_places import SoundingPlaces
from agent.composer.understanding.written_chords import WrittenChords

MOST_WORDS = 1_500
"""The number of words in which orders are sought; the rest is ignored."""
_RESTYLE = "restyle"
"""How the language file calls what asks for a style."""
_ENDS = (
    "source", "target", "ahead", "to_end", "name", "top", "from", "until", "onset", "sole", "down_to", "edge", "gap",
    "running", "in_turn", "close", "outside",
)
"""Slots whose place is what an operation takes from, brings to or goes by, and not where it works."""


class OrderReader:
    """Finds all orders in a request about one song ("the bass louder and a slower tempo"), and divides it into
    clauses."""

    def __init__(
        self, lexicon: Lexicon, readings: Mapping[str, SlotReading], spoken: list[str], figures: Figures, names: Names,
        written: WrittenChords | None = None,
    ) -> None:
        words = lexicon.words
        self._lexicon = lexicon
        self._readings = readings
        self._tokens = [token.casefold() for token in spoken[:MOST_WORDS]]
        grammar = words.grammar
        skip = frozenset(grammar.skip)
        self._joins = frozenset((*grammar.joins, *grammar.either))
        self._there, self._doing = frozenset(grammar.there), frozenset(grammar.doing)
        self._examples = phrase_set(grammar.examples)
        self._referring = frozenset(grammar.referring)
        self._articles = frozenset(words.places.articles) - frozenset(grammar.afresh)
        self._aiming = frozenset(grammar.aiming)
        self._pointing_out = frozenset((*words.places.articles, *grammar.afresh))
        self._then = frozenset(words.places.then)
        self._meanwhile = frozenset(grammar.meanwhile)
        self._heads, self._free = frozenset(grammar.heads), frozenset(grammar.empty)
        self._skip, self._completing = skip, frozenset(grammar.completing)
        self._light = frozenset(grammar.light)
        self._asides = Asides(words.asides, lexicon) if words.asides is not None else None
        self._excess = frozenset(grammar.excess)
        self._graded = frozenset(grammar.graded)
        self._fixed = words.operation_words - skip
        self._slots = SlotReader(lexicon, figures, self._fixed, names, written)
        self._operations: Matcher[OperationWords] = Matcher(words.operation_forms, skip, self._slots)
        self._slots.parts.opens = self._opens
        self._kept_lists = KeptListReader(lexicon, self._slots, self._operations)
        self._parting = Parting(lexicon, self._asides, self._operations)
        self._marks = MarkReader(lexicon, self._slots)
        self._places = PlaceReader(lexicon, self._slots)
        self._spoken, self._names = spoken[:MOST_WORDS], names

    def read(self) -> Orders:
        """The orders of the request and the outcome of each of its clauses."""
        items = self._exceeding(items_of(self._tokens))
        if self._lexicon.song.bars:
            items = BarNumbers(self._lexicon, self._spoken, self._names.bracketed).read(
                ClockTimes(self._lexicon).read(items)
            )
            items = SoundingPlaces(self._lexicon, self._slots).read(items)
        items = self._marks.conditions(items)
        items = self._parting.read(self._places.read(self._marks.often(items)))
        items = self._marks.amounts(items, self._operations)
        finds, doubtful = self._finds(items), frozenset[int]()
        if any(item.kind == "word" for item in items):
            items, finds = self._loose(items, finds)
            finds = self._kept_lists.read(items, finds)
            if self._lexicon.song.note_count:
                # a new piece is described, not changed
                items, finds, doubtful = self._of_song(items, finds)
            finds = place_parts(items, finds, self._slots, self._lexicon)
        places = [item for item in items if item.kind == "place"]
        said = (token for item in places for token in range(item.first, item.last))
        orders = Orders(placed=frozenset(token for token in said if self._tokens[token].isdecimal()))
        pieces = self._pieces(items, finds, orders)
        self._mark_examples(items, pieces)
        for piece in pieces:
            piece.there = any(items[at].text in self._there for at in piece.items)
            piece.refers = any(items[at].text in self._referring for at in piece.items)
        if self._asides is not None:
            AsidePieces(self._asides, self._lexicon, items, finds).mark(pieces)
        ownership = Ownership(self._lexicon, items, finds, doubtful)
        heads = {at for at, item in enumerate(items) if item.text in self._heads}
        # "everyone else in when the tune starts" says where nothing else is done
        universal = {at for at, item in enumerate(items) if item.text in self._lexicon.words.framing.universal}
        settle(pieces, ownership.light - universal, heads)
        ownership.doubt(pieces)
        HangingOn(self._lexicon, items, finds, ownership.light).mark(pieces)
        Fulfilment(self._lexicon, self._readings, items, orders).run(pieces, finds)
        orders.clauses = tuple(joined(ownership.clauses(pieces)))
        return orders

    def _of_song(
        self, items: list[Item], finds: dict[int, FormFit[OperationWords]]
    ) -> tuple[list[Item], dict[int, FormFit[OperationWords]], frozenset[int]]:
        """The items and finds with what is read in more ways where there is music to change, and the items of clauses
        that say two things as well."""
        lexicon, words = self._lexicon, self._lexicon.words
        found, doubtful = FrameReader(lexicon, self._slots).read(items, finds)
        if words.assigning is not None:
            found = AssigningReader(lexicon, words.assigning).read(items, found)
            found = HeirReader(lexicon, words.assigning).read(items, found)
        if words.added is not None:
            items, found = PartPhraseReader(lexicon, words.added).read(items, found)
        return items, found, doubtful

    def _mark_examples(self, items: Sequence[Item], pieces: Sequence[Piece]) -> None:
        """Mark the pieces that say by example what was wished before them, and those in which a place comes first."""
        sentence = -1
        for piece in pieces:
            said = next((at for at in piece.items if items[at].text not in self._skip), -1)
            if said >= 0 and begun(items, said, self._examples):
                sentence = piece.sentence
            piece.example = piece.sentence == sentence
            telling = (at for at in piece.items if items[at].text not in self._skip | self._free)
            piece.headed = items[next(telling, -1)].kind == "place" if piece.items else False

    def _exceeding(self, items: Sequence[Item]) -> list[Item]:
        """The items, where "too" is meant for each of the qualities that are joined: "too busy and loud"."""
        found: list[Item] = []
        for at, item in enumerate(items):
            joined = at > 2 and items[at - 1].text in self._joins and items[at - 3].text in self._excess
            if joined and item.text in self._graded:
                found.append(Item("word", items[at - 3].text, item.first, item.first))
            found.append(item)
        return found

    def _opens(self, items: Sequence[Item], at: int) -> bool:
        """Whether a form begins with the part at an item and goes on beyond it, or the part is a word of one."""
        found = self._operations.best(items, at, "part")
        if found is not None and found.payload.operation != "replace":
            return True
        part = self._lexicon.wish_at([item.text for item in items[at : at + 5]], 0)
        if part is not None and items[at - 1].kind == "comma" and self._done_to(items, at + part[0]):
            # "808 instead of that bass, snare on the 3" says two things
            return True
        worded = self._operations.worded(items, at) if part is not None else None
        return worded is not None and part is not None and worded.end > at + part[0] and worded.weight > part[0]

    def _done_to(self, items: Sequence[Item], at: int) -> bool:
        """Whether a word of place stands at an item, so that what stands before it begins something of its own."""
        return at < len(items) and items[at].kind == "word" and items[at].text in self._doing

    def _finds(self, items: Sequence[Item]) -> dict[int, FormFit[OperationWords]]:
        found: dict[int, FormFit[OperationWords]] = {}
        at = 0
        while at < len(items) and len(found) < MOST_TASKS:
            best = self._operations.best(items, at) if items[at].kind in ("word", "place") else None
            if best is not None and (self._is_name(items, at, best.end) or self._is_other(items, at, best)):
                best = None
            if best is not None and best.payload.weak and self._gives_way(items, at, best):
                best = None
            if best is None:
                at += 1
            else:
                found[at] = best
                at = best.end
        return self._without_manners(items, found)

    def _is_name(self, items: Sequence[Item], at: int, end: int) -> bool:
        """Whether a form is only part of a name: "double bass" doubles no bass."""
        words = [item.text for item in items[at : at + 5]]
        part, technique = self._lexicon.wish_at(words, 0), self._lexicon.standing.techniques.longest_at(words, 0)
        if technique is not None and (technique[1].order or technique[1].plays):
            technique = None
        lengths = [one[0] for one in (part, technique) if one is not None]
        return any(length > 1 and at + 1 < end <= at + length for length in lengths)

    def _is_other(self, items: Sequence[Item], at: int, best: FormFit[OperationWords]) -> bool:
        """Whether a form says something else: what people do ("we dance to this"), what it is for, or a longer name.

        The "left" of "the piano of the left hand" is no place in the mix.
        """
        ends = [item.text for item in items[best.end - 1 : best.end + 1]]
        if len(ends) > 1 and ends[0] in self._excess and ends[1] in self._graded:
            # of "and the strum too busy" too is no "as well"
            return True
        longer = self._lexicon.wish_at(ends, 0)
        if longer is not None and longer[0] == len(ends) > 1 and best.payload.operation == "mix":
            return True
        before = [item.text for item in items[max(0, at - 2) : at]]
        aims = len(before) > 1 and before[0] in self._aiming and before[1] in self._pointing_out
        if aims and items[at].kind == "word" and best.payload.operation == _RESTYLE:
            return True
        behind = [item.text for item in items[best.end : best.end + 2]]
        done = len(behind) > 1 and behind[0] in self._doing and behind[1] in self._referring | self._articles
        return done and best.value("style") is not None

    def _without_manners(
        self, items: Sequence[Item], finds: dict[int, FormFit[OperationWords]]
    ) -> dict[int, FormFit[OperationWords]]:
        """The forms without moods that only say how the one right before is done: "swing the hats harder"."""
        manners = {
            second for (_, before), (second, found) in pairwise(finds.items())
            if _is_mood_alone(found) and before.value("part") is not None
            and all(one.kind == "word" and one.text in self._skip for one in items[before.end : second])
        }
        which = {
            first for (first, found), (second, after) in pairwise(finds.items())
            if found.end == second and self._tells_which(items, first, found, after)
        }
        return {at: found for at, found in finds.items() if at not in manners | which}

    def _tells_which(
        self, items: Sequence[Item], at: int, found: FormFit[OperationWords], after: FormFit[OperationWords]
    ) -> bool:
        """Whether a mood only says which part is meant that begins a form: "the bright guitar comes in at bar 9"."""
        part = next((one for one in after.fillings if one.slot == "part"), None)
        led = at > 0 and items[at - 1].text in self._articles
        return led and _is_mood_alone(found) and found.end == at + 1 and part is not None and part.first == found.end

    def _gives_way(self, items: Sequence[Item], at: int, best: FormFit[OperationWords]) -> bool:
        after = items[best.end : best.end + 2]
        parted = len(after) > 1 and after[0].kind == "comma" and after[1].text in self._joins
        if best.payload.operation == "solo" and parted:
            # "just the hats, and guitar softer" says two things
            return False
        for later in range(at + 1, best.end):
            other = self._operations.best(items, later, "part") if items[later].kind == "word" else None
            # "nothing but the strings until bar 9" says who plays till then, and not when the strings end
            alone = best.payload.operation == "solo" and other is not None and other.payload.operation == "leave"
            if other is not None and other.end > best.end and not alone:
                return True
        return False

    def _loose(
        self, items: list[Item], finds: dict[int, FormFit[OperationWords]]
    ) -> tuple[list[Item], dict[int, FormFit[OperationWords]]]:
        """Section names that no operation took are places too: "chorus: darker"."""
        taken = {at for first, found in finds.items() for at in range(first, found.end)}
        row: list[Item] = []
        moved: dict[int, FormFit[OperationWords]] = {}
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

    def _pieces(self, items: Sequence[Item], finds: dict[int, FormFit[OperationWords]], orders: Orders) -> list[Piece]:
        pieces = [Piece(0, 0, leads=False)]
        sentence = clause = at = 0
        alone = False
        while at < len(items):
            item, found = items[at], finds.get(at)
            if found is not None:
                if item.text in self._joins and pieces[-1].items:
                    # "it's fire and the guitar too"
                    pieces.append(Piece(sentence, clause, leads=False))
                alone = not found.weight
                if alone:
                    clause += 1
                    pieces[-1].clause = clause
                pieces[-1].operations.append(at)
                pieces[-1].items += range(at, found.end)
                ends = {k for one in found.fillings if one.slot in _ENDS for k in range(one.first, one.last)}
                pieces[-1].own_place = bool(ends)
                for inner in range(at, found.end):
                    if inner not in ends:
                        pieces[-1].add(items[inner])
                at = found.end
                continue
            if item.kind in PARTED or (item.kind == "word" and item.text in self._joins):
                sentence += item.kind == "stop"
                if item.kind == "stop" and item.text == ":":
                    sentence -= 1
                following = items[at + 1] if at + 1 < len(items) else None
                heads = following is not None and following.text.partition(" ")[0] in self._heads
                clause += item.kind in ("stop", "break", "aside") or heads or alone
                alone = False
                pieces.append(Piece(
                    sentence, clause, leads=item.kind != "word" or pieces[-1].empty_after_comma,
                    aside=item.kind == "aside" or (item.kind == "word" and pieces[-1].aside and not heads),
                    meanwhile=item.kind == "break" and item.text in self._meanwhile,
                    then=item.text in self._then,
                    listed=item.kind == "stop" and item.text == ":",
                ))
            else:
                pieces[-1].items.append(at)
                if item.kind == "word" and not self._named_again(items, at):
                    self._mention(items, at, orders, pieces[-1])
                    pieces[-1].loose.append(at)
                started = any(piece.operations for piece in pieces if piece.sentence == sentence)
                # "then, when the verse comes back, everyone plays but …" heads what follows as a sentence's place does
                pieces[-1].add(item, opening=not started or pieces[-1].then)
            at += 1
        return pieces

    def _named_again(self, items: Sequence[Item], at: int) -> bool:
        """Whether a part is named that is named better right behind it: "the piano of the left hand"."""
        named = self._lexicon.wish_at([item.text for item in items[at : at + 5]], 0)
        behind = [item.text for item in items[at + named[0] : at + named[0] + 4]] if named is not None else []
        led = len(behind) > 1 and behind[0] in self._completing
        return led and any(self._lexicon.wish_at(behind, first) is not None for first in (1, 2))

    def _mention(self, items: Sequence[Item], at: int, orders: Orders, piece: Piece) -> None:
        played = self._slots.played(items, at)
        named = self._lexicon.wish_at([item.text for item in items[at : at + 5]], 0)
        found = (played[0] - at, played[1]) if played is not None else named
        if found is None:
            return
        length, wish = found
        if wish not in orders.mentioned:
            orders.mentioned.append(wish)
        inside = piece.subjects and at < piece.subjects[-1].last
        if not piece.operations and not inside:
            piece.subjects.append(Subject(wish, at, at + length))


def _is_mood_alone(found: FormFit[OperationWords]) -> bool:
    """Whether a form names a mood and no part."""
    return bool(found.payload.mood or found.value("mood")) and found.value("part") is None


def _shifted(found: FormFit[OperationWords], by: int) -> FormFit[OperationWords]:
    fillings = tuple([replace(one, first=one.first + by, last=one.last + by) for one in found.fillings])
    return replace(found, end=found.end + by, fillings=fillings)

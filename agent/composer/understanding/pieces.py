"""Pieces: which place, measure and condition belongs to which operation of a request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from msgspec.structs import replace

from agent.composer.understanding.items import If, Item, Measure, Often, PlaceRef
from agent.composer.understanding.wishes import Wish


@dataclass(frozen=True)
class Subject:
    """A part named before what is done to it, by the items `first` to `last` (not included)."""

    wish: Wish
    first: int
    last: int


@dataclass
class Piece:
    """A fragment of a request between two commas or conjunctions ("the bass louder", "and the drums softer"): the
    `operations` that it asks for, by the item where their pattern begins, and the places (`refs`), amounts, conditions
    and frequencies said in it.

    Its `items` are indices without signs and conjunctions, the `loose` ones belong to nothing understood. Before it
    stands a comma (`leads`), a colon (`listed`) or something earlier in time (`then`). Places in `opening` precede all
    that its sentence asks for; with `headed` a place precedes its other words, with `own_place` an operation names its
    own. It may refer to a place (`there`) or a part (`refers`); `subjects` are parts named before its first operation.

    It asks for nothing if it is an `aside` (though `unsure` if that is certain), says when the fragment before applies
    (`meanwhile`), gives an `example`, or says what stays (`limits`); `about` and `spoken_of` are parts and places that
    it only mentions. `doubt` is why its operations are not carried out.
    """

    sentence: int
    clause: int
    leads: bool
    aside: bool = False
    unsure: bool = False
    """Whether it may be meant as an order, so that it is reported as not understood rather than skipped."""
    meanwhile: bool = False
    operations: list[int] = field(default_factory=list)
    refs: list[PlaceRef] = field(default_factory=list)
    measures: list[Measure] = field(default_factory=list)
    conditions: list[If] = field(default_factory=list)
    often: list[Often] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    loose: list[int] = field(default_factory=list)
    """Indices of its items that belong to no operation, place, amount or condition."""
    opening: list[PlaceRef] = field(default_factory=list)
    headed: bool = False
    example: bool = False
    there: bool = False
    refers: bool = False
    """Whether it has a pronoun: it, them, that."""
    then: bool = False
    """Whether it follows in time what was named before it."""
    listed: bool = False
    own_place: bool = False
    """Whether an operation in it names its own place, so that no neighbour's place applies."""
    subjects: list[Subject] = field(default_factory=list)
    """Parts named in it before its first operation, and not used by it."""
    limits: bool = False
    about: tuple[Wish, ...] = ()
    """Parts that it mentions without asking anything of them; later pronouns may mean them."""
    spoken_of: tuple[PlaceRef, ...] = ()
    """Places that it mentions without asking anything for them."""
    doubt: str = ""
    """Why its matched operations are not carried out; "" if they are."""

    @property
    def empty_after_comma(self) -> bool:
        """Whether the piece holds nothing after the comma before it, as in ", and"."""
        return self.leads and not (self.operations or self.refs or self.measures or self.conditions or self.often)

    def add(self, item: Item, *, opening: bool = False) -> None:
        """Add an item's value if it is a place, amount, condition or frequency; `opening` for one at the head of a
        sentence, which applies to all of it."""
        value = None if self.aside else item.value
        if isinstance(value, PlaceRef):
            self.refs.append(value)
            if opening:
                self.opening.append(value)
        elif isinstance(value, Measure):
            self.measures.append(value)
        elif isinstance(value, If):
            self.conditions.append(value)
        elif isinstance(value, Often):
            self.often.append(value)


    @property
    def joined(self) -> bool:
        """Whether only a conjunction separates the piece from the one before."""
        return not self.leads


def settle(pieces: Sequence[Piece], light: Collection[int], heads: Collection[int] = ()) -> None:
    """Give every piece with operations the places, amounts, conditions and subjects that are said in other pieces but
    apply to it too: "in the chorus, the drums louder and the bass softer".

    `light` are the items without a meaning of their own, `heads` those that begin an order.
    """
    _name_subjects(pieces, light)
    clear = [piece for piece in pieces if piece.operations or all(at in light for at in piece.loose)]
    _head(pieces, clear)
    _list(pieces, heads)
    _forward(clear)
    _backward(clear, [piece for piece in pieces if piece not in clear and not piece.aside])
    _follow(pieces)
    _point_back(pieces)
    for before, piece in pairwise(pieces):
        if piece.operations and before.operations and before.clause == piece.clause:
            piece.refs = piece.refs or ([] if piece.own_place else list(before.refs))
            piece.measures = piece.measures or [measure for measure in before.measures if not measure.exact]
            piece.conditions = piece.conditions or list(before.conditions)
    for piece, after in reversed(list(pairwise(pieces))):
        placed = bool(piece.refs) or piece.own_place
        if piece.operations and after.operations and after.clause == piece.clause and not (placed or after.headed):
            piece.refs = list(after.refs)


def _name_subjects(pieces: Sequence[Piece], light: Collection[int]) -> None:
    """Parts of a list are all meant: "the bass, the guitar and the lead should be softer"."""
    named: list[Subject] = []
    for before, piece in pairwise(pieces):
        named = [*named, *before.subjects] if before.clause == piece.clause and _only_names(before, light) else []
        if piece.operations:
            piece.subjects = [*named, *piece.subjects]


def _head(pieces: Sequence[Piece], clear: Sequence[Piece]) -> None:
    """A place at the head of a sentence is meant to its end, or to the next place.

    A sentence that only speaks of a place, "the intro is too loud", hands it to what says "it" after that, or says by
    example how: "the chorus should feel huge, e.g. add an organ".
    """
    for at, piece in enumerate(pieces):
        spoken_of = piece not in clear
        if not piece.opening or not (spoken_of or piece.operations):
            continue
        led = any(not ref.bare for ref in piece.opening)
        # of "no fade at the end, and speed it up" only the fade is at the end
        within = spoken_of and led and not piece.headed
        led = led and not within
        for later in pieces[at + 1 :]:
            pointing = (spoken_of or not led) and (later.example or (later.refers and not within))
            pointing = pointing and later.sentence <= piece.sentence + 1
            if later.refs or not (later.sentence == piece.sentence or pointing):
                break
            if later.operations and (led or not spoken_of or pointing):
                later.refs = list(piece.opening)


def _list(pieces: Sequence[Piece], heads: Collection[int]) -> None:
    """ "Make the chorus hit harder! Brass louder, strings doubled." says in a list how: no verb, and no other place."""
    for at, piece in enumerate(pieces):
        if piece.refs and any(one.listed for one in pieces[at + 1 : at + 2]):
            # "give the chorus some power: brass louder"
            for one in pieces[at + 1 :]:
                if one.refs or one.sentence != piece.sentence:
                    break
                one.refs = list(piece.refs) if one.operations else []
            if not piece.operations and any(one.operations for one in pieces[at + 1 : at + 2]):
                # "verse: darker, chorus: brighter" names each place for what stands behind it alone
                piece.refs = []
        if not (piece.operations and piece.refs and all(ref.bare for ref in piece.refs)):
            continue
        number = next((one.sentence for one in pieces[at + 1 :] if one.sentence > piece.sentence and one.items), -1)
        following = [one for one in pieces[at + 1 :] if one.sentence == number]
        bare = not any(one.refs or one.there or any(item in heads for item in one.items) for one in following)
        if bare and sum(bool(one.operations) for one in following) > 1:
            for one in following:
                one.refs = list(piece.refs) if one.operations else one.refs


def _follow(pieces: Sequence[Piece]) -> None:
    """ "Softer until the chorus, then louder" is louder from there on."""
    acting = [piece for piece in pieces if piece.operations]
    for before, piece in pairwise(acting):
        if piece.then and piece.sentence == before.sentence:
            ends = [ref for ref in before.refs if ref.relation == "before"]
            if ends and (not piece.refs or piece.refs == before.refs):
                piece.refs = [replace(ref, relation="onward") for ref in ends]


def _point_back(pieces: Sequence[Piece]) -> None:
    """What is done "there" is done where something was done last, or at the place that was spoken of since."""
    last: list[PlaceRef] = []
    for piece in pieces:
        if piece.operations and piece.there and not piece.refs:
            piece.refs = list(last)
        last = piece.refs or list(piece.spoken_of) or last


def _only_names(piece: Piece, light: Collection[int]) -> bool:
    """Whether a piece names parts and says nothing of them: "make the drums" before "and the bass louder"."""
    named = {at for one in piece.subjects for at in range(one.first, one.last)}
    return bool(named) and not piece.operations and all(at in named or at in light for at in piece.loose)


def _forward(pieces: Sequence[Piece]) -> None:
    """Marks before the first operation of a sentence are for what follows in it."""
    for at, piece in enumerate(pieces):
        if piece.operations or not (piece.refs or piece.conditions or piece.measures or piece.often):
            continue
        following = [later for later in pieces[at + 1 :] if later.sentence == piece.sentence]
        earlier = any(before.operations for before in pieces[:at] if before.sentence == piece.sentence)
        if earlier and not piece.conditions:
            continue
        served = False
        for later in following:
            if served and later.leads and piece.conditions:
                break
            if served and (later.refs and not piece.conditions):
                break
            if later.operations:
                served = True
                if not later.refs:
                    later.refs = list(piece.refs)
                later.conditions = later.conditions or list(piece.conditions)
                later.measures = later.measures or list(piece.measures)
                later.often = later.often or list(piece.often)
            elif later.refs and not served:
                piece.refs += later.refs
                later.refs = []
        if served:
            piece.refs, piece.conditions, piece.measures, piece.often = [], [], [], []


def _backward(pieces: Sequence[Piece], unclear: Sequence[Piece]) -> None:
    """Marks after an operation, set off by a comma or a join, are for the clause before them.

    A place in a sentence behind another that is `unclear` may belong to that: "no lead. All else left alone, incl. the
    outro."
    """
    for at, piece in enumerate(pieces):
        if piece.operations or not (piece.refs or piece.measures or piece.conditions or piece.often):
            continue
        before = next((earlier for earlier in reversed(pieces[:at]) if earlier.operations), None)
        if before is None or any(before.sentence < one.sentence < piece.sentence for one in unclear):
            continue
        # "but only from bar 13" is meant for all that its sentence asks before it
        only = bool(piece.refs) and all(ref.narrowed for ref in piece.refs) and piece.sentence == before.sentence
        for earlier in pieces[:at]:
            led = only and earlier.sentence == piece.sentence and not (earlier.refs or earlier.own_place)
            if earlier.operations and (earlier.clause == before.clause or led):
                earlier.refs = [*earlier.refs, *(ref for ref in piece.refs if ref not in earlier.refs)]
                earlier.measures = earlier.measures or list(piece.measures)
                earlier.conditions = earlier.conditions or list(piece.conditions)
                earlier.often = earlier.often or list(piece.often)
        piece.refs, piece.measures, piece.conditions, piece.often = [], [], [], []

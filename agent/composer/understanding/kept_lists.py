"""What is to stay: "keep the bass and the key", in lists and alone, and what a request says is to stay as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, structs
from msgspec.structs import replace

from agent.composer.operation_words import OperationWords
from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.finishing import sparing
from agent.composer.understanding.items import Item, PlaceRef
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Filling, FormFit, Matcher
from agent.composer.understanding.parting import PARTED
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.scopes import all_but, only_there
from agent.composer.understanding.slots import SlotReader
from agent.composer.understanding.tasks import Named, Place, Task
from agent.composer.understanding.wishes import Wish
from agent.song.key import Key
from agent.song.song import Song

Finds = dict[int, FormFit[OperationWords]]
_KEEP = "keep"
_KEPT = OperationWords(operation=_KEEP, forms=("{part}",))
_NAMED = ("part", "aspect")
_LONGEST = 6
"""Items of the longest name of something that is kept."""


class _Thing(Struct, frozen=True):
    """A part or an aspect of the song, and all that its name and what closes the list take."""

    filling: Filling
    end: int


class KeptListReader:
    """Finds the other things that are to stay beside the one that a matched pattern names: "keep the bass, the drums
    and the tempo as they are"."""

    def __init__(self, lexicon: Lexicon, slots: SlotReader, operations: Matcher[OperationWords]) -> None:
        grammar = lexicon.words.grammar
        self._slots = slots
        self._operations = operations
        self._joins = frozenset((*grammar.joins, *grammar.either))
        self._passing = frozenset((*grammar.skip, *grammar.determiners)) - self._joins
        self._closing = phrase_set(lexicon.words.groups.get("as_is", ()))

    def read(self, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]]) -> Finds:
        """The matched patterns, by the index of the item where they begin: `finds`, with one for each further thing
        that is kept."""
        made = dict(finds)
        for at, found in finds.items():
            named = [one for one in found.fillings if one.slot in _NAMED]
            if found.payload.operation != _KEEP or not named or made.get(at) is not found:
                continue
            if named[-1].last == found.end or self._closing.length(_texts(items, named[-1].last), 0):
                self._read_on(items, found.end, made)
            if named[0].first == at:
                self._read_back(items, at, made)
        return dict(sorted(made.items()))

    def _read_on(self, items: Sequence[Item], end: int, made: Finds) -> None:
        while (first := self._joined(items, end)) is not None:
            thing = self._at(items, first)
            if thing is None or not self._put(items, first, thing, made):
                return
            end = thing.end

    def _read_back(self, items: Sequence[Item], at: int, made: Finds) -> None:
        while (end := self._joined_before(items, at)) is not None:
            first = next((one for one in range(max(0, end - _LONGEST), end) if self._names(items, one, end)), -1)
            thing = self._at(items, first) if first >= 0 else None
            if thing is None or not self._put(items, first, thing, made):
                return
            at = first

    def _names(self, items: Sequence[Item], first: int, end: int) -> bool:
        """Whether a thing stands from one item to another, and nothing before it that says more of it."""
        before = first
        while before and items[before - 1].kind == "word" and items[before - 1].text in self._passing:
            before -= 1
        thing = self._at(items, first) if not before or self._parts(items[before - 1]) else None
        return thing is not None and thing.end == end

    def _at(self, items: Sequence[Item], at: int) -> _Thing | None:
        """The thing at an item, where nothing more is said of it than that it stays."""
        for slot in reversed(_NAMED):
            found = self._slots.read(slot, items, at, opening=True)
            if found is None or (slot == "part" and not _are_wishes(found[1])):
                continue
            end = found[0] + self._closing.length(_texts(items, found[0]), 0)
            if end >= len(items) or self._parts(items[end]):
                return _Thing(Filling(slot, found[1], at, found[0]), end)
        return None

    def _put(self, items: Sequence[Item], first: int, thing: _Thing, made: Finds) -> bool:
        """Let a thing be kept; False where another form says more of it that no sign parts from it."""
        begun = [at for at in made if first <= at < thing.end]
        beyond = max((made[at].end for at in begun), default=thing.end)
        if beyond > thing.end and items[thing.end].kind not in PARTED:
            return False
        if any(made[at].payload.operation == _KEEP for at in begun):
            return False
        for at in begun:
            del made[at]
        made[first] = FormFit(thing.end, _KEPT, (thing.filling,), 1)
        at = thing.end
        while at < beyond:
            again = self._operations.best(items, at) if items[at].kind in ("word", "place") else None
            if again is not None:
                made[at] = again
            at = again.end if again is not None else at + 1
        return True

    def _joined(self, items: Sequence[Item], at: int) -> int | None:
        """Where what is named next begins behind a comma or a join; None where neither stands at an item."""
        end = at
        while end < len(items) and end < at + 2 and (items[end].kind == "comma" or items[end].text in self._joins):
            end += 1
        if end == at:
            return None
        while end < len(items) and items[end].kind == "word" and items[end].text in self._passing:
            end += 1
        return end if end < len(items) and items[end].kind == "word" else None

    def _joined_before(self, items: Sequence[Item], at: int) -> int | None:
        """Where what is named before a thing ends, with a comma or a join behind it."""
        while at and items[at - 1].kind == "word" and items[at - 1].text in self._passing:
            at -= 1
        end = at
        while end and end > at - 2 and (items[end - 1].kind == "comma" or items[end - 1].text in self._joins):
            end -= 1
        return end if 0 < end < at else None

    def _parts(self, item: Item) -> bool:
        return item.kind in PARTED or item.text in self._joins


def _are_wishes(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(one, Wish) for one in value)


def _texts(items: Sequence[Item], at: int) -> list[str]:
    return [item.text for item in items[at : at + _LONGEST]]


_REKEY = "rekey"
"""How the language file calls what asks for a key."""


def only_aspect(items: Sequence[Item], end: int, lexicon: Lexicon) -> bool:
    """Whether the word at item `end`, right after a place, names an aspect of that place and not the place itself:
    "keep the chorus length"."""
    after = items[end : end + 2]
    aspect = bool(after) and lexicon.sense([after[0].text], 0, "aspect") is not None
    last = len(after) < 2 or after[1].kind != "word" or after[1].text in lexicon.words.grammar.joins
    return aspect and after[0].kind == "word" and last


def says_how(items: Sequence[Item], found: FormFit[OperationWords], lexicon: Lexicon) -> bool:
    """Whether a quality after a part to be kept says how it should be, so that it is not kept unchanged: "keep them
    quiet"."""
    behind = items[found.end] if found.end < len(items) else None
    if behind is None or behind.kind != "word" or found.value("part") is None:
        return False
    return behind.text in lexicon.words.grammar.graded or lexicon.sense([behind.text], 0, "mood") is not None


def of_chord(items: Sequence[Item], found: FormFit[OperationWords], lexicon: Lexicon) -> bool:
    """Whether what is kept is a note of a chord and not a part: "one note at a time, keep the lowest one"."""
    part = next((one for one in found.fillings if one.slot == "part"), None)
    words = lexicon.words.parts
    if part is None or words is None or items[part.last - 1].text not in lexicon.words.grammar.referring:
        return False
    stops = [at for at, item in enumerate(items) if item.kind == "stop"]
    first = max((at + 1 for at in stops if at < part.first), default=0)
    last = min((at for at in stops if at >= part.last), default=len(items))
    return any(item.text in words.of_chords for item in items[first:last])


def spared_by(found: FormFit[OperationWords], lexicon: Lexicon) -> tuple[Place, ...]:
    """The places that a pattern says to leave unchanged: "don't touch the chorus"."""
    places = (found.value(slot) for slot in ("place", "until", "from", "onset"))
    place, section = next(filter(None, places), None), found.value("section")
    inner = found.value("outside")
    if isinstance(inner, PlaceRef):
        return all_but(inner.places, lexicon.song)
    if isinstance(place, PlaceRef):
        return only_there(place, lexicon.song).places
    return (Named(section),) if isinstance(section, str) else ()


def kept_there(piece: Piece, lexicon: Lexicon) -> tuple[Place, ...]:
    """The places that are the only ones where the piece's parts should stay: "keep them in the chorus"."""
    return tuple(
        place for ref in piece.refs if ref.relation != "except" for place in only_there(ref, lexicon.song).places
    )


def in_key(found: FormFit[OperationWords], song: Song) -> FormFit[OperationWords]:
    """The pattern; one that keeps a key which the song is not in is turned into a change to that key ("keep it in
    D")."""
    key = found.value("key")
    if found.payload.operation != "keep" or not isinstance(key, tuple):
        return found
    tonic, mode = key
    if Key(tonic).pitch_class == song.key.pitch_class and mode in (None, song.key.mode):
        return found
    return replace(found, payload=structs.replace(found.payload, operation=_REKEY, variant=""))


def keeping_there(
    tasks: Sequence[Task], wish: Wish, places: Sequence[Place], lexicon: Lexicon
) -> list[Task] | None:
    """The tasks about the part `wish`, with the places excluded from their scopes, among all others unchanged; None if
    no task is about this part alone. For "keep the bass in the verse" beside "make the bass louder"."""
    own = set(lexicon.meant(wish))
    about = [
        at for at, task in enumerate(tasks)
        if (meant := getattr(task.operation, "wish", None)) is not None and own & set(lexicon.meant(meant))
    ]
    if not about:
        return None
    return [sparing(task, places, lexicon) if at in about else task for at, task in enumerate(tasks)]

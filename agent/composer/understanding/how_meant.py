"""How what stands in a form is meant: as what something is held against, as there already, as a place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import structs
from msgspec.structs import replace

from agent.composer.operation_words import OperationWords
from agent.composer.understanding.items import Item, PlaceRef, Referring, RemainingParts
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Filling, FormFit
from agent.composer.understanding.operations import Add, Colour, Mix, Replace
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.tasks import Named, Operation
from agent.composer.understanding.wishes import Wish

_IN_SECTION = {"repeat": -1, "end_on": 0, "substitute": 0}
"""Operations done in the section that their form names, and which of its name is meant where nothing says so."""
_CUT = "cut"
"""How the language file calls what takes bars out."""
_COMPARING = ("replace", "mix_cap")
"""Operations whose forms say by themselves what is held against what."""
_CALM = -0.3
"""How energetic a mood is at most that asks somebody to play softly."""


def compares(items: Sequence[Item], found: FormFit[OperationWords], at: int, comparing: Collection[str]) -> bool:
    """Whether the part in a pattern (at item `at`) is only what something is compared to: "than the strings".
    `comparing` are the words that say so ("than")."""
    part = _part(found) if found.payload.operation not in _COMPARING else None
    before = items[max(0, part.first - 2) : part.first] if part is not None and part.first > at else []
    return any(item.text in comparing for item in before)


def is_there(
    items: Sequence[Item], operations: Sequence[Operation], found: FormFit[OperationWords], lexicon: Lexicon
) -> bool:
    """Whether the part that one of `operations` adds is one that the song has, named with a definite article: "I want
    the guitar to ...". `found` is their matched pattern."""
    own = frozenset(lexicon.words.places.articles) - frozenset(lexicon.words.grammar.afresh)
    part = _part(found)
    before = items[max(0, part.first - 1) : part.first + 1] if part is not None else []
    definite = any(item.text in own for item in before)
    added = [operation.wish for operation in operations if isinstance(operation, Add)]
    return definite and bool(added) and all(lexicon.has_already(wish) for wish in added)


def goes_on(items: Sequence[Item], found: FormFit[OperationWords], piece: Piece) -> bool:
    """Whether words of the same clause, right after a pattern, say what its part should do: "I want the guitar | to
    play softly"."""
    return any(at >= found.end and items[at].kind == "word" for at in piece.loose)


def of_place(items: Sequence[Item], found: FormFit[OperationWords], piece: Piece) -> bool:
    """Whether what the pattern `found` removes is a place that the sentence named before: "the solo drags, take it
    out"."""
    pointing = found.payload.operation == "remove" and found.value("part") == (Referring(),)
    own = any(items[at].kind == "place" for at in piece.items)
    return pointing and bool(piece.refs) and not own and all(ref.bare for ref in piece.refs)


def is_for(items: Sequence[Item], found: FormFit[OperationWords]) -> bool:
    """Whether a purpose begins right after a pattern: "keep it so people can talk over it"."""
    return found.end < len(items) and items[found.end].kind == "aside"


def says_again(
    operation: Operation, last: Operation | None, said: Sequence[Item], universal: Collection[str]
) -> bool:
    """Whether an operation without a part repeats what the last one asked of a part: "the drums are too busy, thin it
    out". `said` are its items; a word of `universal` ("all") among them means all parts, and then it does not."""
    wish = getattr(last, "wish", None)
    if wish is None or last is None or type(operation) is not type(last) or getattr(operation, "wish", wish):
        return False
    whole = any(item.text in universal for item in said)
    return not whole and structs.replace(operation, wish=wish) == last


def points_back(found: FormFit[OperationWords]) -> bool:
    """Whether what a pattern has in its {part} refers to what was said before: a pronoun alone ("it"), or the rest of
    the parts ("all others")."""
    part = found.value("part")
    return isinstance(part, tuple) and (part == (Referring(),) or any(isinstance(one, RemainingParts) for one in part))


def meant_so(found: FormFit[OperationWords]) -> FormFit[OperationWords]:
    """The pattern; a complaint that is to be so is turned into a wish for it: "the bass much too loud, on purpose"."""
    said = found.payload
    if not said.complaint or said.operation != "mix":
        return found
    return replace(found, payload=structs.replace(said, sign=-said.sign, complaint=False))


def say_where(found: FormFit[OperationWords], piece: Piece) -> None:
    """Set the place where a piece (clause fragment) works to the one named within its matched pattern, if any."""
    section = found.value("section")
    if found.payload.operation in _IN_SECTION and isinstance(section, str) and not piece.refs:
        piece.refs = [PlaceRef((Named(section, _IN_SECTION[found.payload.operation]),))]
    behind = found.value("from")
    if found.payload.operation == _CUT and isinstance(behind, PlaceRef):
        piece.refs = [behind]
    if found.payload.operation == _CUT and isinstance(section, str):
        piece.refs = [PlaceRef((Named(section),))]


def _part(found: FormFit[OperationWords]) -> Filling | None:
    return next((one for one in found.fillings if one.slot == "part"), None)


def new_player(operation: Operation | None, lexicon: Lexicon) -> tuple[Wish, ...]:
    """The player that an operation brings into the song, as a tuple of one; empty if none."""
    one = operation.newcomer if operation is not None else None
    return (one,) if one is not None and not lexicon.has_already(one) else ()


def is_loudness(operation: Operation) -> bool:
    """Whether an operation is only about loudness; of moods the soft and calm ones count."""
    if isinstance(operation, Mix):
        return operation.control == "level"
    return isinstance(operation, Colour) and operation.mood.energy <= _CALM


def gave_all(operations: Iterable[Operation], lexicon: Lexicon) -> bool:
    """Whether exchanges of instruments among the operations, one for each part, cover all pitched tracks: "the bass to
    the tuba, the tune to the flute"."""
    given = [set(lexicon.meant(one.wish)) for one in operations if isinstance(one, Replace)]
    return len(given) > 1 and set().union(*given) >= set(lexicon.pitched)


def loses_what(items: Sequence[Item], found: FormFit[OperationWords], at: int, lexicon: Lexicon) -> bool:
    """Whether a pattern would remove what "it" means although that may be no part: an effect named before, or beats to
    be struck."""
    part = found.value("part")
    if found.payload.operation == "remove" and part == (Referring(),):
        first = next((k + 1 for k in range(at - 1, -1, -1) if items[k].kind == "stop"), 0)
        return any(item.text in lexicon.words.grammar.effects for item in items[first:at])
    beats = {item.text for item in items[at : found.end]}.intersection(lexicon.words.places.beat)
    return found.payload.operation == "replace" and bool(beats)

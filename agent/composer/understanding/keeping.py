"""Keeping: what a request says is to stay as it is."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs
from msgspec.structs import replace

from agent.composer.operation_words import OperationWords
from agent.composer.understanding.finishing import sparing
from agent.composer.understanding.items import Item, PlaceRef
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import FormFit
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.scopes import all_but, only_there
from agent.composer.understanding.tasks import Named, Place, Task
from agent.composer.understanding.wishes import Wish
from agent.song.key import Key
from agent.song.song import Song

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

"""Open ends: what a change does not say, and requests that would settle it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.composer.tokens import phrase_tokens, tokens_of
from agent.composer.understanding.intent import Lack
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import (
    Add,
    Beat,
    Colour,
    Cut,
    Mix,
    NewSection,
    Rekey,
    Remeter,
    Remove,
    Rename,
    Repeat,
    Replace,
    Reshape,
    Resize,
    Restyle,
    Retempo,
    Solo,
    Transpose,
)
from agent.composer.understanding.orders import Orders
from agent.composer.understanding.part_phrase import PartPhrase
from agent.composer.understanding.tasks import Named, Task
from agent.composer.understanding.wishes import Wish

_OF_A_PIECE = (
    Beat, Colour, Cut, Mix, Rekey, Remeter, Remove, Rename, Repeat, Replace, Resize, Restyle, Retempo, Solo, Transpose,
)
"""Operations whose words may as well describe a piece that is to be written."""


def open_ends(orders: Orders, request: str, lexicon: Lexicon) -> tuple[Lack, tuple[str, ...]]:
    """What the orders of a change request leave open: which "section", "operation", "part" or "direction" ("" for
    nothing). For a "section" also the request completed with each possible answer ("the first chorus"), otherwise no
    requests."""
    words = lexicon.words
    for task in orders.tasks:
        place = task.scope.places[0] if task.scope.places else None
        if not isinstance(task.operation, NewSection | Cut) or not isinstance(place, Named) or place.number:
            continue
        if sum(place.name in section.name.casefold() for section in lexicon.song.sections) > 1:
            which = [next(word for word, n in words.ordinals.items() if n == number) for number in (1, 2, -1)]
            name = re.compile(rf"\b{re.escape(place.name)}\b", re.IGNORECASE)
            return "section", tuple(name.sub(f"{word} {place.name}", request, count=1) for word in which)
    if orders.tasks:
        return "", ()
    if any(lexicon.has(wish) for wish in orders.mentioned):
        return "operation", ()
    spoken = {token.casefold() for token in tokens_of(request)}
    return ("part" if spoken & set(words.groups.get("add", ())) else "direction"), ()


def writes_part(tasks: Sequence[Task], tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether the request asks for a part or section ("write a counter-melody"), or for something that can only be done
    to an existing song, rather than for a new piece."""
    works = {word for phrase in lexicon.words.goals.works for word in phrase_tokens(phrase)}
    asked = [task.operation for task in tasks]
    if any(_is_beside(task) or task.operation.of_song or _names_track(task) for task in tasks):
        return True
    adds = bool(asked) and not any(
        isinstance(one, _OF_A_PIECE) or (isinstance(one, Reshape) and one.how != "vary") for one in asked
    )
    return (adds or any(_is_of_song(task) for task in tasks)) and not works & set(tokens)


def _is_beside(task: Task) -> bool:
    """Whether it writes a part in a place of the song or beside one of its parts, which may be its "tune"."""
    phrase = getattr(task.operation, "phrase", None)
    if not isinstance(phrase, PartPhrase):
        return False
    return not task.scope.whole or any(one is not None for one in (phrase.of, phrase.above, phrase.below))


def _names_track(task: Task) -> bool:
    """Whether what it changes is called as a track of the song is."""
    wish = getattr(task.operation, "wish", None)
    return isinstance(wish, Wish) and bool(wish.tracks) and not isinstance(task.operation, Add)


def _is_of_song(task: Task) -> bool:
    """Whether it says how far something goes from what is there, or names a place of it."""
    operation = task.operation
    relative = isinstance(operation, Retempo) and operation.bpm is None
    return relative or isinstance(operation, Mix) or (isinstance(operation, Add) and not task.scope.whole)

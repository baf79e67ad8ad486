"""What the list of commands finds: entries by the letters that are typed, best first. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

_BEGINS, _WORD, _INSIDE, _LETTERS = 100, 70, 40, 20
_LOOSE = 3
"""Letters that are scattered in a word match while they span at most so many times their number."""
_IN_GROUP = 10
"""Score of a word that occurs only in the entry's group."""


@dataclass(frozen=True)
class SearchEntry:
    """One command in the list. `group` is shown beside it (menu, "Track", "Project"); `reason` says why it is disabled,
    empty if it is not."""

    id: str
    words: str
    group: str
    act: Callable[[], object]
    keys: str = ""
    reason: str = ""
    icon: str = ""


def found(entries: Sequence[SearchEntry], typed: str, recent: Sequence[str] = ()) -> tuple[SearchEntry, ...]:
    """The entries that match all typed words, best first; with nothing typed all, those used last first.

    A word matches if its letters occur in their order; it scores higher the closer they stand together and to the
    beginning of a word. `recent` are ids, the one used last first."""
    parts = typed.casefold().split()
    used = {name: at for at, name in enumerate(recent)}
    last = len(used)
    ranked = []
    for at, entry in enumerate(entries):
        worth = _worth(entry, parts)
        if worth is not None:
            ranked.append((-worth, used.get(entry.id, last), bool(entry.reason) and bool(parts), at, entry))
    return tuple(one[-1] for one in sorted(ranked, key=lambda one: one[:4]))


def _worth(entry: SearchEntry, parts: Sequence[str]) -> int | None:
    words, group = entry.words.casefold(), entry.group.casefold()
    whole = 0
    for part in parts:
        here, there = _fit(words, part), _fit(group, part, letters=False)
        best = max(here or 0, _IN_GROUP if there else 0)
        if best <= 0:
            return None
        whole += best
    if parts and words.startswith(" ".join(parts)):
        whole += _BEGINS
    return whole


def _fit(text: str, part: str, *, letters: bool = True) -> int | None:
    at = text.find(part)
    while at > 0 and text[at - 1].isalnum():
        # The begin of a later word is worth more than the middle of an earlier one.
        at = text.find(part, at + 1)
    if at >= 0:
        return _BEGINS if at == 0 else _WORD
    if part in text:
        return _INSIDE
    return _spread(text, part) if letters and len(part) > 1 else None


def _spread(text: str, part: str) -> int | None:
    """Letters in their order, the first of which begins a word."""
    best: int | None = None
    for start, letter in enumerate(text):
        if letter != part[0] or (start and text[start - 1].isalnum()):
            continue
        at = start
        for wanted in part[1:]:
            at = text.find(wanted, at + 1)
            if at < 0:
                break
        else:
            length = at - start + 1
            begins = _begins_of_words(text, part)
            if begins or length <= _LOOSE * len(part):
                worth = max(1, _LETTERS - (0 if begins else length - len(part)))
                best = worth if best is None else max(best, worth)
    return best


def _begins_of_words(text: str, part: str) -> bool:
    """Whether these are first letters of words in their order: "hp" for "hear plan"."""
    firsts = iter(word[0] for word in text.split())
    return all(letter in firsts for letter in part)

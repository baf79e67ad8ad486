"""Named notes: the only notes that somebody knows or may play, as "only the notes G A B C and D" tells them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.note_rules import NamedNotes
from agent.composer.understanding.phrases import Phrases
from agent.composer.understanding.wishes import Wish
from agent.theory.pitch import pitch_class

_LETTER = re.compile(r"([A-Ga-g])([#♯b♭]?)")
_SIGNS = {"♯": "#", "♭": "b", "sharp": "#", "flat": "b"}
_BETWEEN = frozenset({",", "and", "&", "-", "/", "+", "or"})
_STOPS = frozenset(".;!?")
_FEWEST = 3
"""Notes of a list at least: two letters are a range, or chords."""
_LED = 2
"""Words before the notes that say that there are no others."""
_SCALE = 5
"""From so many on they are notes without being called so: "using only C D E G A"."""
_NEAR = 6
"""Words between the notes and who plays them."""


class _Listed(Struct, frozen=True):
    """Pitch classes in their order, named by the tokens `start` to `end`."""

    classes: tuple[int, ...]
    start: int
    end: int


def named_notes_in(
    tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, phrases: Phrases
) -> tuple[tuple[NamedNotes, ...], frozenset[int]]:
    """The only notes that may be played, with their players, and the indices of the tokens that say so ("only the notes
    A, C and E"). `tokens` are casefolded, `spoken` the same tokens as written; `phrases` looks them up.

    A list counts only if it is called notes and a word excludes all others.
    """
    return _Reader(tokens, spoken, lexicon, phrases).read()


class _Reader:
    def __init__(self, tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, phrases: Phrases) -> None:
        self._tokens = tokens
        self._spoken = spoken
        self._lexicon = lexicon
        self._phrases = phrases

    def read(self) -> tuple[tuple[NamedNotes, ...], frozenset[int]]:
        """All of them."""
        found: list[NamedNotes] = []
        used: set[int] = set()
        at = 0
        while at < len(self._tokens):
            listed = self._list(at)
            limits = self._limits(listed) if listed is not None else None
            if listed is None or limits is None:
                at = listed.end if listed is not None else at + 1
                continue
            first = min(limits)
            apart = first > 0 and self._tokens[first - 1] == "," and listed.start - first <= _LED
            # ", using only C D E G A" is said of all of the piece
            whose = None if apart and len(listed.classes) >= _SCALE else self._whose(listed)
            found.append(NamedNotes(listed.classes, whose, _goes_one_way(listed.classes)))
            used |= limits | set(range(listed.start, listed.end))
            at = listed.end
        return tuple(found), frozenset(used)

    def _list(self, at: int) -> _Listed | None:
        classes: list[int] = []
        end = here = at
        while here < len(self._tokens):
            note = self._note(here)
            if note is None:
                if not classes or self._tokens[here] not in _BETWEEN or here - end > 1:
                    break
                here += 1
                continue
            classes.append(note[1])
            end = here = note[0]
        return _Listed(tuple(dict.fromkeys(classes)), at, end) if len(set(classes)) >= _FEWEST else None

    def _note(self, at: int) -> tuple[int, int] | None:
        """Where a letter with its sign ends, and its pitch class."""
        found = _LETTER.fullmatch(self._spoken[at])
        if found is None:
            return None
        sign, end = _SIGNS.get(found[2], found[2]), at + 1
        behind = self._tokens[end] if end < len(self._tokens) else ""
        if not sign and behind in ("sharp", "flat", "♯", "♭", "#"):
            sign, end = _SIGNS.get(behind, behind), end + 1
        try:
            return end, pitch_class(found[1].upper() + sign)
        except (KeyError, ValueError):
            return None

    def _limits(self, listed: _Listed) -> set[int] | None:
        """The tokens that call a list notes and say that there are no others; None where nothing does."""
        sign = listed.start > 0 and self._tokens[listed.start - 1] in (":", ",")
        before = self._ending("notes_before", listed.start - sign)
        before += sign if before else 0
        behind = self._phrases.length("notes_behind", listed.end)
        limited = next((n for n in range(1, 5) if self._ending("limiting", listed.start) == n), 0)
        if not before and not behind and limited and len(listed.classes) >= _SCALE:
            return set(range(listed.start - limited, listed.end))
        if not before and not behind:
            return None
        calling = set(range(listed.start - before, listed.end + behind))
        first = next((k + 1 for k in range(listed.start - 1, -1, -1) if self._tokens[k] in _STOPS), 0)
        said = [span for span in self._phrases.spans("limiting", first, listed.start) if span[0] < listed.start]
        after = self._phrases.length("limiting_behind", listed.end + behind)
        again = self._phrases.spans("these_alone", listed.end)
        if not (said or after or again):
            return None
        near = set(said[-1]) if said else set[int]()
        between = range(max(near) + 1, listed.start - before) if near else range(0)
        if any(self._lexicon.wish_at(self._tokens, k) is not None for k in between):
            between = range(0)
        after_span = range(listed.end + behind, listed.end + behind + after)
        return calling | near | set(between) | set(after_span) | {at for span in again for at in span}

    def _ending(self, name: str, end: int) -> int:
        """Tokens of a phrase that ends right before one."""
        return next((n for n in range(4, 0, -1) if end >= n and self._phrases.length(name, end - n) == n), 0)

    def _whose(self, listed: _Listed) -> Wish | None:
        """The player right behind the notes, else right before them in the sentence; None is everybody."""
        leading = {"on", "for", "in", *self._lexicon.words.places.articles, "my", "his", "her", "our", "their"}
        end = listed.end
        while end < min(listed.end + _NEAR, len(self._tokens)) and self._tokens[end] in leading:
            end += 1
        # of "over a drone" and "with guitar" nothing is limited
        behind = range(end, min(end + 1, len(self._tokens)))
        before = range(listed.start - 1, max(-1, listed.start - 2 * _NEAR), -1)
        return self._player(behind, (*_STOPS, ",")) or self._player(before, _STOPS)

    def _player(self, places: range, stops: Sequence[str] | frozenset[str]) -> Wish | None:
        for at in places:
            if self._tokens[at] in stops:
                return None
            named = self._lexicon.wish_at(self._tokens, at)
            if named is not None and not (named[1].whole_role and named[1].role == "lead"):
                return named[1]
        return None


def _goes_one_way(classes: Sequence[int]) -> bool:
    """Whether notes go up, or down, within an octave, so that they lie side by side."""
    ups = [(two - one) % 12 for one, two in pairwise(classes)]
    return sum(ups) < 12 or sum(12 - step for step in ups) < 12

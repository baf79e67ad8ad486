"""Layout: the sections that a new piece was asked for, in order, with the lengths that were said of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent.composer.form_index import FormIndex
from agent.composer.same_objects import once_for_same
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.figures import FIRST_TEMPO, Figures
from agent.composer.understanding.intent import AskedSection
from agent.composer.understanding.items import items_of
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import FormFit, Matcher
from agent.composer.understanding.not_of_piece import tuned_to
from agent.composer.understanding.numbers import number_at
from agent.composer.understanding.slots import SlotReader
from agent.composer.vocabulary import Vocabulary

MOST_SECTIONS = 24
MOST_WORDS = 1_500
_PAIR = 2
_MOST_ALIKE = 8
"""Most sections of one name that a number before it asks for."""
_LETTERS = re.compile(r"[A-D]{3,10}")


class SectionPlace(Struct, frozen=True):
    """A section named by the tokens `start` to `end` (not included), with its length in bars (0: not said)."""

    name: str
    bars: int
    start: int
    end: int


class Layout(Struct, frozen=True):
    """The sections that a new piece should have; `taken` are the tokens that state their lengths, `places` where they
    are named. Empty if the request names none."""

    sections: tuple[AskedSection, ...] = ()
    taken: frozenset[int] = frozenset()
    places: tuple[SectionPlace, ...] = ()


class _Named(Struct, frozen=True):
    """A section as found: its name, its bars, a bare number beside it, the tokens of its length, and how many it is."""

    name: str
    bars: int = 0
    bare: int = 0
    tokens: range = range(0)
    many: int = 1


def layout_of(spoken: Sequence[str], lexicon: Lexicon, figures: Figures) -> Layout:
    """The sections of a form such as "verse, chorus, verse", "8-bar intro, verse 16 bars" or AABA. `spoken` are the
    tokens as written; `figures` reads keys, meters and tempi, whose numbers are no lengths.

    A word that is also a verb ("build", "drop") counts only in a list or after an article.
    """
    found = _numbered(_Finder(spoken[:MOST_WORDS], lexicon, figures).found())[:MOST_SECTIONS]
    taken = frozenset(at for one in found if one.bars or one.bare or one.many > 1 for at in one.tokens)
    places = tuple(SectionPlace(one.name, one.bars, one.tokens.start, one.tokens.stop) for one in found)
    return Layout(tuple(AskedSection(one.name, one.bars) for one in found), taken, places)


def _numbered(found: Sequence[_Named]) -> list[_Named]:
    """Bare numbers that count the sections of a name from 1 up are their names' own; others are bars."""
    numbers: dict[str, list[int]] = {}
    for one in found:
        if one.bare:
            numbers.setdefault(one.name, []).append(one.bare)
    counted = {name for name, said in numbers.items() if said == list(range(1, len(said) + 1))}
    return [replace(one, bars=one.bare) if one.bare and one.name not in counted else one for one in found]


class _Finder:
    """Walks once over a request."""

    def __init__(self, spoken: Sequence[str], lexicon: Lexicon, figures: Figures) -> None:
        self._spoken = spoken
        self._tokens = [token.casefold() for token in spoken]
        self._items = items_of(self._tokens)
        self._lexicon = lexicon
        words = lexicon.words
        self._announcing = {",", ":", *words.grammar.joins, *words.places.articles, *words.grammar.afresh}
        self._refusing = {phrase.casefold() for phrase in words.groups.get("no", ())}
        slots = SlotReader(lexicon, figures, frozenset())
        self._none = frozenset(phrase_tokens(phrase) for phrase in words.layout.none)
        self._matcher: Matcher[bool] = Matcher(_forms(words), frozenset(words.places.articles), slots)

    def found(self) -> list[_Named]:
        """Every section, in order."""
        found: list[_Named] = []
        at = 0
        while at < len(self._tokens):
            if self._letters(at):
                found += [_Named(letter, tokens=range(at, at + 1)) for letter in self._spoken[at]]
            section = self._lexicon.sense(self._tokens, at, "section")
            announced = section is None or self._announced(at)
            match = self._matcher.best(self._items, at) if announced else None
            if match is not None and not self._cuts_meter(at, match.end):
                named = self._without_tempo(_measured(match, range(at, match.end)))
                found.append(named)
                at = match.end
                continue
            if section is not None and announced:
                many = self._many(at, section[1])
                named = _Named(section[1], tokens=range(at - (many > 1), at + section[0]), many=many)
                found += [named] * many
            at += section[0] if section is not None else 1
        return found * 2 if self._alternate(found) else found

    def _cuts_meter(self, first: int, end: int) -> bool:
        """Whether a number at an edge of a stretch is half of a meter: "verse 7/8", "7/8 for the verse"."""
        return "/" in (*self._tokens[end : end + 1], *self._tokens[max(0, first - 1) : first])

    def _without_tempo(self, one: _Named) -> _Named:
        """A section without a bare number that is no length but its tempo: "verse 180"."""
        if one.bare < FIRST_TEMPO:
            return one
        spans = ((at, self._lexicon.sense(self._tokens, at, "section")) for at in one.tokens)
        said = next(((at, found[0]) for at, found in spans if found is not None), None)
        return replace(one, bare=0, tokens=range(said[0], said[0] + said[1])) if said is not None else one

    def _alternate(self, found: Sequence[_Named]) -> bool:
        """Whether sections are only named as several of each: "with verses and choruses"."""
        names = {one.name for one in found}
        several = all(self._tokens[one.tokens.start].startswith(one.name) for one in found)
        several = several and all(self._tokens[one.tokens.start] != one.name for one in found)
        return len(found) == len(names) == _PAIR and several and not any(one.bars or one.bare for one in found)

    def _many(self, at: int, name: str) -> int:
        """How many sections of a name are said to be: "two verses"."""
        number = number_at(self._tokens, at - 1, self._lexicon) if at else None
        several = self._tokens[at] != name and number is not None and number[1] in range(2, _MOST_ALIKE + 1)
        return int(number[1]) if several and number is not None else 1

    def _letters(self, at: int) -> bool:
        word = self._spoken[at]
        named = _LETTERS.fullmatch(word) and len(set(word)) > 1
        return bool(named) and self._lexicon.find(self._tokens, at) is None

    def _announced(self, at: int) -> bool:
        """Whether a word that names a section is meant as one; "when I'm on break" is none."""
        if any(tuple(self._tokens[at + 1 - len(one) + behind : at + 1 + behind]) == one
               for one in self._none for behind in range(len(one)) if at + 1 - len(one) + behind >= 0):
            return False
        if at + 1 < len(self._spoken) and tuned_to(self._spoken, at + 1) is not None:
            return False
        match = self._lexicon.find(self._tokens, at)
        before = self._tokens[at - 1] if at else ""
        other = match is not None and bool({"goal", "binding", "style", "thing"} & set(match.senses))
        return before not in self._refusing and (not other or before in self._announcing)


def _measured(match: FormFit[bool], tokens: range) -> _Named:
    name, bars, number = str(match.value("section")), match.value("bars"), match.value("number")
    if match.payload:
        return _Named(name, bars if isinstance(bars, int) else 0, 0, tokens)
    bare = int(number) if isinstance(number, float) and number == int(number) else 0
    return _Named(name, 0, bare, tokens)


@once_for_same
def _forms(words: Vocabulary) -> FormIndex[bool]:
    """The forms of a section with its length, by whether its unit is told."""
    told = ((True, words.layout.lengths), (False, words.layout.bare))
    return FormIndex((words.parser.elements(form), unit) for unit, forms in told for form in forms)

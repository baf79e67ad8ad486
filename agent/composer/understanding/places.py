"""Places: the bars and sections that a request names, and what stands before them to say how."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.phrasing import words_of
from agent.composer.piece_words import Phrases
from agent.composer.tokens import tokens_of
from agent.composer.understanding.items import Item, PlaceRef, Relation, merged
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Matcher
from agent.composer.understanding.numbers import unit_at
from agent.composer.understanding.scopes import edges_of
from agent.composer.understanding.slots import SlotReader
from agent.composer.understanding.tasks import Bars, Edge, Named, Place

_FORMS = ("range", "one", "first", "last", "first_half", "second_half", "start", "end", "nth")
_EDGES = ("first", "last", "first_half", "second_half", "start", "end")
EDGE_BARS = 4
_MOST_BARS = 9999


class PlaceReader:
    """Turns the words of places into items."""

    def __init__(self, lexicon: Lexicon, slots: SlotReader) -> None:
        self._lexicon = lexicon
        words = lexicon.words.places
        self._matcher: Matcher[str] = Matcher(
            [
                (lexicon.words.form(form), name)
                for name in _FORMS
                for form in getattr(words, name)
            ],
            frozenset(),
            slots,
        )
        leads: tuple[tuple[Relation, Phrases], ...] = (
            ("except", words.without), ("before", words.before), ("after", words.after), ("since", words.since),
            ("in", words.towards), ("in", words.within),
        )
        self._leads = sorted(
            ((_cut(phrase), relation) for relation, phrases in leads for phrase in phrases),
            key=lambda lead: -len(lead[0]),
        )
        self._towards = frozenset(_cut(phrase) for phrase in words.towards)
        self._onward = sorted((_cut(phrase) for phrase in words.onward), key=len, reverse=True)
        self._articles = frozenset(words.articles)
        self._only = frozenset(words.only)
        self._into = frozenset(words.into)
        grammar = lexicon.words.grammar
        self._joins = frozenset((*grammar.joins, *grammar.either))

        phrases = [*words.since, *words.onward, *words.articles, *words.only, *words.whole, *words.section]
        self.known = frozenset((
            *(word for phrase, _ in self._leads for word in phrase),
            *(word for phrase in phrases for word in _cut(phrase)),
            *(
                word
                for name in _FORMS
                for form in getattr(words, name)
                for word in words_of(lexicon.words.form(form))
            ),
        ))

    def read(self, items: Sequence[Item], *, loose: bool = False) -> list[Item]:
        """The items with places read; `loose` also where neither article nor preposition announces them."""
        found: list[Item] = []
        at = 0
        while at < len(items):
            read = self._phrase(items, at, loose=loose) if items[at].kind == "word" else None
            if read is None:
                found.append(items[at])
                at += 1
            else:
                found.append(merged(items, at, read[0], "place", read[1]))
                at = read[0]
        return found

    def _phrase(self, items: Sequence[Item], at: int, *, loose: bool) -> tuple[int, PlaceRef] | None:
        start = at
        while at < len(items) and items[at].text in self._only:
            at += 1
        narrowed = at > start
        into = items[at].text in self._into if at < len(items) else False
        lead = self._lead(items, at)
        towards = lead is not None and tuple(item.text for item in items[at : lead[0]]) in self._towards
        relation: Relation
        if lead is not None and lead[1] == "except":
            inner = self._lead(items, lead[0])
            at, relation, bare = (inner[0] if inner is not None and inner[1] == "in" else lead[0]), lead[1], False
        elif lead is not None:
            at, relation, bare = lead[0], lead[1], False
        else:
            relation, bare = "in", not narrowed
        places: list[Place] = []
        first = self._core(items, at, announced=loose or not bare)
        if first is None:
            return None
        at = first[0]
        places += first[1]
        while (more := self._carried_on(items, at)) is not None:
            at = more[0]
            places += more[1]
        onward = next((len(phrase) for phrase in self._onward if _begins(items, at, phrase)), 0)
        return at + onward, PlaceRef(
            tuple(places), "onward" if onward else relation, bare and not loose, narrowed, towards, into
        )

    def _lead(self, items: Sequence[Item], at: int) -> tuple[int, Relation] | None:
        for phrase, relation in self._leads:
            if _begins(items, at, phrase):
                return at + len(phrase), relation
        return None

    def _carried_on(self, items: Sequence[Item], at: int) -> tuple[int, list[Place]] | None:
        parted = at
        while parted < len(items) and parted - at < 2 and (
            items[parted].kind == "comma" or items[parted].text in self._joins
        ):
            parted += 1
        if parted == at:
            return None
        core = self._core(items, parted, announced=False)
        if core is None and items[parted - 1].kind != "comma":
            core = self._core(items, parted, announced=True)
        # "the verse and the chorus louder" is a list, "the chorus brighter" after a comma is not
        return core

    def _core(self, items: Sequence[Item], at: int, *, announced: bool) -> tuple[int, list[Place]] | None:
        article = at
        while article < len(items) and items[article].text in self._articles:
            article += 1
        if article >= len(items) or items[article].kind != "word":
            return None
        found = self._matcher.best(items, article)
        counted = found is not None and found.payload == "nth" and found.value("ordinal") is None
        if found is not None and counted and (self._measured(items, found.end) or self._times(items, found.end)):
            # "the bridge 8 bars" is the bridge and a length, "the bridge 3 times" how often
            found = None
        if found is not None:
            numbers = [value for value in found.all("number") if isinstance(value, float)]
            bars = found.value("bars")
            section = found.value("section")
            ordinal = found.value("ordinal")
            place = self._place(
                found.payload, numbers, bars if isinstance(bars, int) else 1, str(section or ""),
                int(str(ordinal)) if ordinal is not None else 0,
            )
            inner = self._edge_of(items, found.end) if found.payload in _EDGES else None
            if inner is None:
                return found.end, [place]
            length = bars if isinstance(bars, int) else 1 if found.payload in ("first", "last") else None
            edges = [edge for one in inner[1] for edge in edges_of(one, found.payload, length, self._lexicon.song)]
            return inner[0], edges or inner[1]
        section_found = self._lexicon.sense([item.text for item in items[article : article + 5]], 0, "section")
        named = section_found is not None and section_found[0] > 1
        if section_found is None or not (announced or article > at or named):
            return None
        return article + section_found[0], [Named(section_found[1])]

    def _edge_of(self, items: Sequence[Item], at: int) -> tuple[int, list[Place]] | None:
        """The sections behind "the end of" or "the last two bars of"."""
        lead = self._lead(items, at)
        core = self._core(items, lead[0], announced=True) if lead is not None and lead[1] == "in" else None
        return core if core is not None and all(isinstance(place, Named) for place in core[1]) else None

    def _times(self, items: Sequence[Item], at: int) -> bool:
        """Whether the word behind a number makes it a number of times."""
        counting = {phrase.split()[-1] for phrase in self._lexicon.words.repeats if " " in phrase}
        return at < len(items) and items[at].text in {*counting, *self._lexicon.words.grammar.again}

    def _measured(self, items: Sequence[Item], at: int) -> bool:
        words = [item.text for item in items[at : at + 3]]
        return bool(words) and (words[0] == "%" or unit_at(words, 0, self._lexicon) is not None)

    def _place(self, kind: str, numbers: Sequence[float], bars: int, section: str, ordinal: int) -> Place:
        whole = max(1, self._lexicon.song.bars)
        counts = [max(1, min(_MOST_BARS, int(number))) for number in numbers]
        match kind:
            case "range":
                return Bars(min(counts), max(counts))
            case "one":
                return Bars(counts[0], counts[0])
            case "first" | "last":
                return Edge("start" if kind == "first" else "end", min(_MOST_BARS, bars))
            case "first_half":
                return Bars(1, max(1, whole // 2))
            case "second_half":
                return Bars(whole // 2 + 1, max(whole // 2 + 1, whole))
            case "start" | "end":
                return Edge("start" if kind == "start" else "end", EDGE_BARS)
            case _:
                return Named(section, ordinal or (counts[0] if counts else 0))


def _cut(phrase: str) -> tuple[str, ...]:
    return tuple(token.casefold() for token in tokens_of(phrase))


def _begins(items: Sequence[Item], at: int, phrase: tuple[str, ...]) -> bool:
    return len(phrase) <= len(items) - at and all(items[at + k].text == word for k, word in enumerate(phrase))

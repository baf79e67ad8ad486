"""Cores of places: bars, sections, their halves and ends, without the words before them that say how they are meant."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.form_index import FormIndex
from agent.composer.phrase_sets import phrase_set
from agent.composer.same_objects import once_for_same
from agent.composer.tokens import folded_tokens
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import FormFit, Matcher
from agent.composer.understanding.numbers import counted, unit_at
from agent.composer.understanding.scopes import edges_of
from agent.composer.understanding.slots import SlotReader
from agent.composer.understanding.tasks import Bars, Edge, Named, Place
from agent.composer.vocabulary import Vocabulary

_FORMS = ("middle", "range", "one", "first", "last", "first_half", "second_half", "start", "end", "nth")
_POINTS = ("start", "end")
_EDGES = ("first", "last", "first_half", "second_half", "start", "end")
EDGE_BARS = 4
_RISING = "build"
"""The kind of section whose names are verbs too."""
_MOST_BARS = 9999
_DIGITS = 4
_LABEL = 3
"""Words of a name for bars, at most."""


class Core(Struct, frozen=True):
    """The places that words name, and the item where the words end (not included); `closes` is set if the place is the
    end of another place."""

    end: int
    places: tuple[Place, ...]
    closes: tuple[Place, ...] = ()


class CoreReader:
    """Reads places without their prepositions from the items of one request. "It" means the place read last."""

    def __init__(self, lexicon: Lexicon, slots: SlotReader) -> None:
        self._lexicon = lexicon
        self._slots = slots
        words = lexicon.words.places
        self._matcher: Matcher[str] = Matcher(_forms(lexicon.words), frozenset(), slots)
        of = [phrase for phrase in words.within if phrase not in words.into]
        self._inner = sorted(map(folded_tokens, of), key=len, reverse=True)
        self._articles = frozenset(words.articles)
        self._into = frozenset(words.into)
        self._pointing = phrase_set(words.this_section)
        self._plurals = words.plurals
        self._each = frozenset(words.each)
        self._tail = frozenset(words.tail)
        self._described = sorted(map(folded_tokens, words.described), key=len, reverse=True)
        self._bar = words.bar[0]
        self._final = frozenset(word for word, number in lexicon.words.ordinals.items() if number == -1)
        self._joins = frozenset((*lexicon.words.grammar.joins, *lexicon.words.grammar.either))
        self._verbs = _verbs(lexicon)
        self._referring = frozenset((*lexicon.words.grammar.referring, *lexicon.words.grammar.there))
        self.last: tuple[Place, ...] = ()

    def read(self, items: Sequence[Item], at: int, *, announced: bool) -> Core | None:
        """The place at an item; None for none. A section's name alone counts only if it is `announced` by an article or
        preposition ("in the chorus")."""
        article = at
        while article < len(items) and items[article].text in self._articles:
            article += 1
        if article >= len(items) or items[article].kind != "word":
            return None
        if (announced or article > at) and self._matcher.best(items, article) is None:
            # "the recit (1-12)": whatever it is called, its bars are said
            article += self._label(items, article)
        pointing = self._pointing.length([item.text for item in items[at : at + 3]])
        if pointing and self.last:
            return Core(at + pointing, self.last)
        metered = self._metered(items, article) if article > at else None
        if metered is not None:
            return metered
        found = self._matcher.best(items, article)
        counted = found is not None and found.payload == "nth" and found.value("ordinal") is None
        if found is not None and counted and (self._measured(items, found.end) or self._times(items, found.end)):
            # "the bridge 8 bars" is the bridge and a length, "the bridge 3 times" how often
            found = None
        led = at > 0 and any(phrase[-1] == items[at - 1].text for phrase in self._inner)
        alone = led and found is not None and self._ends(items, found.end)
        if found is not None and found.payload == "last" and found.value("number") and not alone:
            # "the last 4 notes" are no bars, "over the last 4" are
            found = None
        verb = article == at > 0 and items[at - 1].text in self._into
        if found is not None and found.payload in _POINTS and (verb or (found.end == at + 1 and not announced)):
            # "to start in bar 5", "end it" and "start with the drums" say what is to be done
            found = None
        if found is not None:
            return self._edge(items, found) if found.payload in _EDGES else self._listed(items, found)
        return self._section(items, at, article, announced=announced)

    def _metered(self, items: Sequence[Item], at: int) -> Core | None:
        """The bars in a meter that the song does not have everywhere: "the 3/4 part"."""
        read, song = self._slots.read("meter", items, at, opening=True), self._lexicon.song
        tailed = read is not None and read[0] < len(items) and items[read[0]].text in self._tail
        if read is None or not tailed or len(song.meters) < 2:
            return None
        edges = [*(song.bar_map.bar_at(meter.at) for meter in song.meters), song.bars + 1]
        places = [
            Bars(first, last - 1) for meter, first, last in zip(song.meters, edges[:-1], edges[1:], strict=True)
            if (meter.beats, meter.unit) == read[1] and first < last
        ]
        return Core(read[0] + 1, tuple(places)) if places else None

    def _section(self, items: Sequence[Item], at: int, article: int, *, announced: bool) -> Core | None:
        texts = [item.text for item in items[article : article + 5] if item.kind == "word"]
        named = self._lexicon.sense(texts, 0, "section") if texts else None
        before = items[article - 1].text if article > at else ""
        if (counted := self._counted(texts, before)) is not None:
            return Core(article + counted[0], (counted[1],))
        if named is None or not (announced or article > at or named[0] > 1):
            return None
        if article == at and named[1] in self._verbs:
            return None
        end = article + named[0]
        end += end < len(items) and items[end].text in self._tail
        end += next((len(phrase) for phrase in self._described if _begins(items, end, phrase)), 0)
        return Core(end, (Named(named[1]),))

    def _counted(self, texts: Sequence[str], article: str) -> tuple[int, Named] | None:
        """One of the sections whose names share a word, or all of them: "the second loop", "both loops"."""
        ordinal = self._lexicon.sense(texts, 0, "ordinal") if texts else None
        word = texts[ordinal[0]] if ordinal is not None and ordinal[0] < len(texts) else texts[0] if texts else ""
        plural = next((ending for ending in self._plurals if word.removesuffix(ending) != word), "")
        bare = word if word in self._lexicon.shared_names else word.removesuffix(plural)
        if bare not in self._lexicon.shared_names or (
            ordinal is None and not (article and bare != word) and article not in self._each
        ):
            return None
        return (ordinal[0] + 1, Named(bare, int(ordinal[1]))) if ordinal is not None else (1, Named(bare))

    def _label(self, items: Sequence[Item], at: int) -> int:
        """How many words name the bars in brackets behind them: no parts, and no sections that the song has."""
        for end in range(at + 1, min(at + 1 + _LABEL, len(items))):
            text = items[end - 1].text
            texts = [item.text for item in items[end - 1 : end + 4]]
            known = self._lexicon.wish_at(texts, 0) is not None or self._lexicon.sense(texts, 0, "section") is not None
            if items[end - 1].kind != "word" or known or text in self._joins:
                return 0
            if items[end].text == self._bar and items[end].first == items[end].last:
                return end - at
        return 0

    def _listed(self, items: Sequence[Item], found: FormFit[str]) -> Core:
        """A place with the bare numbers that go on with it: bars 5 and 9, bars 5-8 and 13-16."""
        places, end = [_place_of(found, self._lexicon)], found.end
        while found.payload in ("range", "one"):
            following = end
            while following < len(items) and following - end < 2 and (
                items[following].kind == "comma" or items[following].text in self._joins
            ):
                following += 1
            more = self.number(items, following) if following > end else None
            if more is None or items[following - 1].kind == "comma":
                break
            places += more.places
            end = more.end
        end += found.payload == "nth" and end < len(items) and items[end].text in self._tail
        return Core(end, tuple(places))

    def number(self, items: Sequence[Item], at: int) -> Core | None:
        """A bare number after another bar as a bar ("bars 5 and 9"); None for none."""
        text = items[at].text if at < len(items) else ""
        if not text.isdecimal() or len(text) > _DIGITS or self._measured(items, at + 1):
            return None
        whole, number = self._lexicon.song.bars, int(text)
        return Core(at + 1, (Bars(number, number),)) if 0 < number <= (whole or number) else None

    def count(self, items: Sequence[Item], at: int) -> tuple[int, int] | None:
        """(end, number) of a number of bars; "bar" alone is one, and "last" may precede it. None for none."""
        at += at < len(items) and items[at].text in self._final
        words = [item.text for item in items[at : at + 4] if item.kind == "word"]
        found = counted(words, 0, self._lexicon, ("bars",)) if words else None
        if found is not None:
            return at + found[0], max(1, int(found[1]))
        return (at + 1, 1) if words and words[0] == self._bar else None

    def _edge(self, items: Sequence[Item], found: FormFit[str]) -> Core:
        """The first or last bars of the song, or of what stands behind them: "the last two bars of the verse"."""
        kind, bars = found.payload, found.value("bars")
        inner = self._inside(items, found.end)
        if inner is None:
            place = _place_of(found, self._lexicon)
            return Core(found.end, (place,), (place,) if kind == "end" else ())
        length = bars if isinstance(bars, int) else 1 if kind in ("first", "last") else None
        edges = [edge for one in inner.places for edge in edges_of(one, kind, length, self._lexicon.song)]
        closes = inner.places if kind == "end" else ()
        return Core(inner.end, tuple(edges) or inner.places, closes)

    def _inside(self, items: Sequence[Item], at: int) -> Core | None:
        """The sections or bars behind "the end of"."""
        lead = next((len(phrase) for phrase in self._inner if _begins(items, at, phrase)), 0)
        if not lead:
            return None
        return self.read(items, at + lead, announced=True) or self.pointed(items, at + lead)

    def pointed(self, items: Sequence[Item], at: int) -> Core | None:
        """The place that a pronoun or "there" at an item means, the one read last; None for none."""
        back = at < len(items) and items[at].text in self._referring and bool(self.last)
        return Core(at + 1, self.last) if back else None

    def _times(self, items: Sequence[Item], at: int) -> bool:
        """Whether the word behind a number makes it a number of times."""
        counting = {phrase.split()[-1] for phrase in self._lexicon.words.repeats if " " in phrase}
        return at < len(items) and items[at].text in {*counting, *self._lexicon.words.grammar.again}

    def _ends(self, items: Sequence[Item], at: int) -> bool:
        """Whether no word goes on behind a number: "over the last 4"."""
        return at >= len(items) or items[at].kind != "word" or items[at].text in self._joins

    def _measured(self, items: Sequence[Item], at: int) -> bool:
        words = [item.text for item in items[at : at + 3]]
        return bool(words) and (words[0] == "%" or unit_at(words, 0, self._lexicon) is not None)


@once_for_same
def _forms(words: Vocabulary) -> FormIndex[str]:
    return FormIndex((words.parser.elements(form), name) for name in _FORMS for form in getattr(words.places, name))


def _verbs(lexicon: Lexicon) -> frozenset[str]:
    """Names of sections that an open song does not have and that say what is done where no article stands before
    them: "build up into the chorus", "then drop to mf"."""
    if not lexicon.song.note_count:
        return frozenset()
    called = [section.name.casefold() for section in lexicon.song.sections]
    rising = (section.name for section in lexicon.words.sections if section.kind == _RISING)
    return frozenset(name for name in rising if not any(name in one for one in called))


def _place_of(found: FormFit[str], lexicon: Lexicon) -> Place:
    whole = max(1, lexicon.song.bars)
    numbers = [value for value in found.all("number") if isinstance(value, float)]
    counts = [max(1, min(_MOST_BARS, int(number))) for number in numbers]
    bars, ordinal = found.value("bars"), found.value("ordinal")
    length = min(_MOST_BARS, bars) if isinstance(bars, int) else counts[0] if found.payload == "last" and counts else 1
    match found.payload:
        case "range":
            return Bars(min(counts), max(counts))
        case "one":
            return Bars(counts[0], counts[0])
        case "first" | "last":
            return Edge("start" if found.payload == "first" else "end", length)
        case "first_half":
            return Bars(1, max(1, whole // 2))
        case "middle":
            return Bars(whole // 3 + 1, max(whole // 3 + 1, whole * 2 // 3))
        case "second_half":
            return Bars(whole // 2 + 1, max(whole // 2 + 1, whole))
        case "start" | "end":
            return Edge("start" if found.payload == "start" else "end", EDGE_BARS)
        case _:
            number = int(str(ordinal)) if ordinal is not None else counts[0] if counts else 0
            return Named(str(found.value("section") or ""), number)


def _begins(items: Sequence[Item], at: int, phrase: tuple[str, ...]) -> bool:
    return len(phrase) <= len(items) - at and all(items[at + k].text == word for k, word in enumerate(phrase))

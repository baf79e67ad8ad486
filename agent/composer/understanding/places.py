"""Places: the bars and sections that a request names, and what stands around them to say how."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.composer.phrase_sets import PhraseSet
from agent.composer.piece_words import Phrases
from agent.composer.tokens import folded_tokens
from agent.composer.understanding.items import Item, PlaceRef, Relation, merged
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.phrase_table import PhraseTable
from agent.composer.understanding.place_cores import Core, CoreReader
from agent.composer.understanding.scopes import bars_of, between, edges_of, from_to, inside, just_behind
from agent.composer.understanding.slots import SlotReader
from agent.composer.understanding.tasks import Bars, Named, Place

_LONGEST = 8
"""Words of the longest phrase around a place."""
_CLAUSE = 8
"""Words before a place among which the verb of its clause stands."""


class PlaceReader:
    """Replaces the words of places by items with a `PlaceRef`."""

    def __init__(self, lexicon: Lexicon, slots: SlotReader) -> None:
        self._lexicon, self._slots = lexicon, slots
        words = lexicon.words.places
        self._cores = CoreReader(lexicon, slots)
        leads: tuple[tuple[Relation, Phrases], ...] = (
            ("except", words.without), ("before", words.before), ("after", words.after), ("since", words.since),
            ("in", words.towards), ("in", words.within),
        )
        # of equals the first one listed counts
        self._leads = PhraseTable.of(
            (phrase, relation) for relation, phrases in reversed(leads) for phrase in phrases
        )
        self._towards = frozenset(map(folded_tokens, words.towards))
        self._lasting = frozenset(map(folded_tokens, words.lasting))
        self._onward, self._everywhere = _ready(words.onward), _ready(words.everywhere)
        self._halfway, self._between = _ready(words.halfway), _ready(words.between)
        self._through, self._till = _ready(words.through), _ready(words.till)
        self._song = _ready([*lexicon.words.goals.existing, *lexicon.words.goals.works])
        self._arrives, self._arriving = _ready(words.arrives), _ready(words.arriving)
        self._returns = _ready(words.returns)
        self._only = frozenset(words.only)
        self._into = frozenset(words.into)
        self._carrying = frozenset(words.carrying)
        grammar = lexicon.words.grammar
        self._joins = frozenset((*grammar.joins, *grammar.either))

    def read(self, items: Sequence[Item], *, loose: bool = False) -> list[Item]:
        """The items with places merged into items of their own; with `loose` also where neither article nor preposition
        announces them."""
        found: list[Item] = []
        at = 0
        while at < len(items):
            # "the low end" is no place
            part = self._lexicon.wish_at([item.text for item in items[at : at + 5]], 0)
            if part is not None and part[0] > 1:
                found += items[at : at + part[0]]
                at += part[0]
                continue
            read = self._phrase(items, at, loose=loose) if items[at].kind == "word" else None
            if read is None:
                found.append(items[at])
                at += 1
            else:
                found.append(merged(items, at, read[0], "place", read[1]))
                self._cores.last = read[1].places or self._cores.last
                at = read[0]
        return found

    def _phrase(self, items: Sequence[Item], at: int, *, loose: bool) -> tuple[int, PlaceRef] | None:
        read = self._midway(items, at) or self._amid(items, at) or self._arrival(items, at)
        read = read or self._led(items, at, loose=loose)
        everywhere = _begun(items, at, self._everywhere)
        if everywhere and (read is None or read[0] <= at + everywhere):
            read = at + everywhere, PlaceRef(())
        if read is None:
            return None
        end = read[0]
        only = end < len(items) and items[end].text in self._only and self._closed(items, end + 1)
        return (end + 1, replace(read[1], narrowed=True, bare=False)) if only else read

    def _closed(self, items: Sequence[Item], at: int) -> bool:
        """Whether a clause ends before an item."""
        return at >= len(items) or items[at].kind != "word" or items[at].text in self._joins

    def _midway(self, items: Sequence[Item], at: int) -> tuple[int, PlaceRef] | None:
        """From the middle of a place on: "halfway through the chorus"."""
        start = at
        if (lead := self._lead(items, at)) is not None and lead[1] in ("in", "since"):
            start = lead[0]
        halfway = _begun(items, start, self._halfway)
        if not halfway:
            return None
        inner = self._lead(items, start + halfway)
        begin = inner[0] if inner is not None and inner[1] == "in" else start + halfway
        core = self._cores.read(items, begin, announced=True) or self._cores.pointed(items, begin)
        whole = _begun(items, begin, self._song)
        if core is None and whole:
            core = Core(begin + whole, (Bars(1, max(1, self._lexicon.song.bars)),))
        if core is None:
            return None
        halves = [half for one in core.places for half in edges_of(one, "second_half", None, self._lexicon.song)]
        return (core.end, PlaceRef(tuple(halves), "since")) if halves else None

    def _arrival(self, items: Sequence[Item], at: int) -> tuple[int, PlaceRef] | None:
        """The point at which a place begins, said with a verb: "when the chorus starts"."""
        lead = _begun(items, at, self._arriving)
        core = self._cores.read(items, at + lead, announced=True) if lead else None
        arrives = _begun(items, core.end, self._arrives) if core is not None else 0
        returns = _begun(items, core.end, self._returns) if core is not None else 0
        if core is not None and returns and returns >= arrives:
            last = tuple(Named(one.name, one.number or -1) if isinstance(one, Named) else one for one in core.places)
            return core.end + returns, PlaceRef(last, "since", starting=True)
        if core is None or not arrives:
            return None
        return core.end + arrives, PlaceRef(core.places, "since", starting=True)

    def _amid(self, items: Sequence[Item], at: int) -> tuple[int, PlaceRef] | None:
        """What lies between two places; two that touch stay the two."""
        lead = _begun(items, at, self._between)
        first = self._cores.read(items, at + lead, announced=True) if lead else None
        if first is None:
            return None
        places: tuple[Place, ...] = first.places
        if len(places) == 2:
            end = first.end
        else:
            join = first.end < len(items) and items[first.end].text in self._joins
            second = self._cores.read(items, first.end + 1, announced=True) if join else None
            second = second or (self._cores.number(items, first.end + 1) if join else None)
            if second is None:
                return None
            places, end = (*first.places[:1], *second.places[:1]), second.end
        within = between(places[0], places[1], self._lexicon.song)
        return end, PlaceRef((within,) if within is not None else places)

    def _led(self, items: Sequence[Item], at: int, *, loose: bool) -> tuple[int, PlaceRef] | None:
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
        beside = self._beside(items, at)
        if beside is not None:
            return beside[0], PlaceRef((beside[1],), narrowed=narrowed, counted=True)
        first = self._cores.read(items, at, announced=loose or not bare)
        lasts = lead is not None and tuple(item.text for item in items[start : lead[0]])[-2:] in self._lasting
        if first is None and (relation in ("before", "after") or lasts) and self._closed(items, at + 1):
            # "a fill right before it", "for the whole of it"
            first = self._cores.pointed(items, at)
        if first is None:
            return None
        reached = self._reached(items, start, first, bare=bare) if relation in ("in", "since") else None
        at, places, relation = (reached[0], [reached[1]], "in") if reached else (first.end, [*first.places], relation)
        while (more := self._carried_on(items, at, places)) is not None:
            at, places = more
        onward = 0 if lead is None and self._lands(items, at) else _begun(items, at, self._onward)
        if relation == "before" and first.closes:
            places = [just_behind(place, self._lexicon.song) for place in first.closes]
        end = at + onward if relation != "before" or onward else at + _begun(items, at, self._arrives)
        return end, PlaceRef(
            tuple(places), "onward" if onward else relation, bare and not loose, narrowed, towards, into
        )

    def _lands(self, items: Sequence[Item], at: int) -> bool:
        """Whether the "on" behind a place leads to what it ends on: "end the verse on a C", "on an A minor chord"."""
        behind = at + 1
        afresh = behind < len(items) and items[behind].text in self._lexicon.words.grammar.afresh
        slots = (self._slots.read(name, items, behind, opening=False) for name in ("chord", "chords"))
        return behind < len(items) and (afresh or any(found is not None for found in slots))

    def _beside(self, items: Sequence[Item], at: int) -> tuple[int, Place] | None:
        """So many bars right before or behind a place, behind an article: "in the 4 bars before the chorus"."""
        if at + 1 >= len(items) or items[at].text not in self._lexicon.words.places.articles:
            return None
        counted = self._cores.count(items, at + 1)
        heard = items[counted[0]] if counted is not None and counted[0] < len(items) else None
        if counted is not None and heard is not None and isinstance(heard.value, PlaceRef):
            # "in the two bars before the voice comes in"
            start = bars_of(heard.value.places[0], self._lexicon.song) if heard.value.relation == "before" else None
            first = start.first - counted[1] if start is not None else 0
            return (counted[0] + 1, Bars(first, first + counted[1] - 1)) if first >= 1 else None
        lead = self._lead(items, counted[0]) if counted is not None else None
        if counted is None or lead is None or lead[1] not in ("before", "after"):
            return None
        core = self._cores.read(items, lead[0], announced=True)
        if core is None:
            return None
        bars = bars_of(core.places[0], self._lexicon.song)
        if bars is None:
            return None
        end = core.end + (_begun(items, core.end, self._arrives) if lead[1] == "before" else 0)
        if lead[1] == "before":
            close = bars.last if core.closes else bars.first - 1
            return (end, Bars(max(1, close - counted[1] + 1), close)) if close >= 1 else None
        return end, Bars(bars.last + 1, bars.last + counted[1])

    def _reached(self, items: Sequence[Item], start: int, first: Core, *, bare: bool) -> tuple[int, Place] | None:
        """How far a place goes that another one ends: "from bar 9 till the summit"."""
        till = _begun(items, first.end, self._till)
        through = 0 if till else _begun(items, first.end, self._through)
        long = till or through
        carried = {item.text for item in items[max(0, start - _CLAUSE) : start]} & self._carrying
        # "move the verse to bar 9" says from where and to where, and no stretch
        brought = bool(long) and items[first.end].text in self._into and bool(bare or carried)
        if not long or len(first.places) != 1 or brought:
            return None
        last = self._cores.read(items, first.end + long, announced=True)
        if last is None or len(last.places) != 1:
            return None
        whole = last.closes[0] if last.closes else last.places[0]
        up_to = bool(till) and not last.closes and isinstance(whole, Named)
        reached = from_to(first.places[0], whole, self._lexicon.song, without_last=up_to)
        # "until the summit starts"
        end = last.end + (_begun(items, last.end, self._arrives) if till else 0)
        return (end, reached) if reached is not None else None

    def _lead(self, items: Sequence[Item], at: int) -> tuple[int, Relation] | None:
        if at >= len(items) or not self._leads.begins(items[at].text):
            return None
        found = self._leads.longest_at(_texts(items, at), 0)
        return (at + found[0], found[1]) if found is not None else None

    def _carried_on(self, items: Sequence[Item], at: int, places: list[Place]) -> tuple[int, list[Place]] | None:
        """The places with those that a list or a remark adds; a remark says which bars a section has."""
        parted = at
        while parted < len(items) and parted - at < 2 and (
            items[parted].kind == "comma" or items[parted].text in self._joins
        ):
            parted += 1
        core = self._cores.read(items, parted, announced=False) if parted < len(items) else None
        bars = core.places if core is not None else ()
        if core is not None and all(isinstance(place, Bars) for place in bars) and places:
            exact = [place for place in places if isinstance(place, Named)]
            if len(exact) == len(places) == len(bars) == 1 and inside(bars[0], exact[0], self._lexicon.song):
                return core.end, [*bars]
        if parted == at:
            return None
        if core is None and items[parted - 1].kind != "comma":
            core = self._cores.read(items, parted, announced=True)
        # "the verse and the chorus louder" is a list, "the chorus brighter" after a comma is not
        return (core.end, [*places, *core.places]) if core is not None else None


def _ready(phrases: Sequence[str]) -> PhraseSet:
    """Phrases, of which some are a lone sign."""
    return PhraseSet(folded_tokens(phrase) or (phrase,) for phrase in phrases)


def _begun(items: Sequence[Item], at: int, phrases: PhraseSet) -> int:
    """How many items the longest of the phrases takes that stands at an item."""
    return phrases.length(_texts(items, at)) if at < len(items) and phrases.begins(items[at].text) else 0


def _texts(items: Sequence[Item], at: int) -> list[str]:
    return [item.text for item in items[at : at + _LONGEST]]

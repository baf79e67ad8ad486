"""Presence: parts of a new piece that play, or rest, only in some bars or sections of it, told beside its form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from agent.composer.phrase_sets import phrase_set
from agent.composer.piece_words import PresenceWords
from agent.composer.tokens import folded_tokens, tokens_in
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.names import Names
from agent.composer.understanding.numbers import number_at
from agent.composer.understanding.ordering import OrderReader
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.stage_phrases import stage_phrases
from agent.composer.understanding.tasks import Named, Place, Task
from agent.composer.understanding.wishes import Wish

_LONGEST, _MOST, _LEADING = 5, 1_500, 3
_DESCRIBED = frozenset({"since", "within"})
_BETWEEN = 2
"""Most words between a part and where it plays."""
_FROM_FIRST = "bars 1 "
_RANGE = "–"


@dataclass
class Presence:
    """Where parts of a new piece play or rest: `tasks` for the finished piece, the tokens that said so, and those of
    them that name no part (`passed`). Parts of `playing` play wherever nothing else is said."""

    tasks: list[Task] = field(default_factory=list)
    tokens: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)
    playing: list[Wish] = field(default_factory=list)


@dataclass(frozen=True)
class _Place:
    """Bars or a section, as an order names them; the token behind it."""

    text: str
    end: int


@dataclass(frozen=True)
class _Part:
    """A part that is named by the tokens `start` to `end`; a `single` one is a drum of a kit."""

    text: str
    start: int
    end: int
    wish: Wish

    @property
    def single(self) -> bool:
        return bool(self.wish.pieces)


def presence_in(tokens: Sequence[str], lexicon: Lexicon, readings: Mapping[str, SlotReading]) -> Presence:
    """Where casefolded tokens let parts play or rest ("no brass before the bridge", "horns only in the choruses"), as
    tasks to be done on the finished piece."""
    words = lexicon.words.presence
    if words is None:
        return Presence()
    return _Reader(tokens[:_MOST], lexicon, words, readings).read()


class _Reader:
    def __init__(
        self, tokens: Sequence[str], lexicon: Lexicon, words: PresenceWords, readings: Mapping[str, SlotReading]
    ) -> None:
        self._tokens = tokens
        self._lexicon = lexicon
        self._readings = readings
        names = (name for name in words.__struct_fields__ if name != "orders")
        self._lists = {name: phrase_set(getattr(words, name)) for name in names}
        self._refusing = frozenset(map(folded_tokens, words.refusing))
        self._orders = words.orders
        self._book = stage_phrases(lexicon.words.course) if lexicon.words.course is not None else None

    def read(self) -> Presence:
        """All of them, in order."""
        found = Presence()
        at = 0
        while at < len(self._tokens):
            part = self._part(at)
            end = self._told(part, found) if part is not None else 0
            at = max(end, part.end if part is not None else at + 1)
        return found

    def _told(self, part: _Part, found: Presence) -> int:
        """Where what is told of a part ends; 0 where nothing is."""
        start = part.start
        refused = self._refused(start)
        kinds: tuple[tuple[str, Callable[[int], int]], ...] = (
            ("before", lambda at: self._phrase("before", at) if refused else 0),
            ("since", lambda at: self._phrase("since", at) or self._comes_only(at)),
            ("within", lambda at: self._phrase("within", at) or self._strikes(part, at)),
            ("absent", lambda at: self._phrase("during", at) if refused else 0),
            ("out", self._out),
        )
        for kind, led in kinds:
            end = self._described(part.end, led) if kind in _DESCRIBED else part.end
            length = led(end)
            place = self._place(end + length, bare=kind == "out") if length else None
            if kind == "absent" and place is None and refused:
                # "no drums 33-40"
                place = self._bars(part.end, bare=True)
            if place is None or (kind == "within" and place.text.startswith(_FROM_FIRST)):
                # "pads only in bars 1-8" are alone there
                continue
            order = self._orders[kind]
            number = place.text.removeprefix("bar ")
            if part.single and kind in ("before", "since") and number.isdecimal() and int(number) > 1:
                # a single drum rests until then, and not its kit
                order, place = self._orders["absent"], _Place(f"bars 1 to {int(number) - 1}", place.end)
            tasks = self._tasks(order.format(part=part.text, place=place.text))
            if not tasks:
                return 0
            end = place.end + self._phrase("behind", place.end)
            found.tasks += tasks
            found.playing += [] if part.single or kind in ("absent", "out") else [part.wish]
            first = start - refused
            found.tokens |= set(range(first, end))
            found.passed |= set(range(first, end)) - (set() if part.single else set(range(start, part.end)))
            return end
        return 0

    def _comes_only(self, at: int) -> int:
        """Tokens of "only comes in from", "joins only at": a limiting word and a verb of coming in, in any order."""
        end, limited, entered = at, False, False
        while end < min(len(self._tokens), at + _LONGEST):
            coming = self._book.length("enters", self._tokens, end) if self._book is not None and not entered else 0
            if not coming and self._tokens[end] not in self._lexicon.words.bindings.only:
                break
            limited, entered = limited or not coming, entered or coming > 0
            end += coming or 1
        led = self._phrase("during", end) if limited and entered else 0
        return end + led - at if led else 0

    def _strikes(self, part: _Part, at: int) -> int:
        """Tokens behind one instrument, no family of them, that say in what it has its short chords."""
        return self._phrase("striking", at) if len(part.wish.families) <= 1 and not part.single else 0

    def _described(self, at: int, led: Callable[[int], int]) -> int:
        """Where the words behind a part end that say how it plays: "horn stabs only in the choruses"."""
        for end in range(at, min(at + _BETWEEN, len(self._tokens) - 1) + 1):
            if led(end):
                return end
            if not self._tokens[end].isalpha() or self._lexicon.wish_at(self._tokens, end) is not None:
                break
        return at

    def _out(self, at: int) -> int:
        """Tokens that say that a part rests, with the little word before its bars."""
        length = self._phrase("out", at)
        return length + self._phrase("during", at + length) if length else 0

    def _part(self, at: int) -> _Part | None:
        wish = self._lexicon.wish_at(self._tokens, at)
        if wish is None or (wish[1].whole_role and wish[1].role is None):
            return None
        end = at + wish[0]
        return _Part(" ".join(self._tokens[at:end]), at, end, wish[1])

    def _place(self, at: int, *, bare: bool) -> _Place | None:
        """Bars or sections at a token; with `bare` two numbers alone are bars."""
        return self._bars(at, bare=bare) or self._section(at)

    def _bars(self, at: int, *, bare: bool) -> _Place | None:
        unit = self._lexicon.sense(self._tokens, at, "unit") if at < len(self._tokens) else None
        named = unit is not None and unit[1] == "bars"
        first = at + unit[0] if unit is not None and named else at
        low = number_at(self._tokens, first, self._lexicon)
        if low is None or not (named or bare) or low[1] != int(low[1]):
            return None
        end = first + low[0]
        ranged = end < len(self._tokens) and (self._tokens[end] == _RANGE or self._phrase("to", end) > 0)
        high = number_at(self._tokens, end + 1, self._lexicon) if ranged else None
        if high is not None and high[1] >= low[1]:
            return _Place(f"bars {low[1]:.0f} to {high[1]:.0f}", end + 1 + high[0])
        return _Place(f"bar {low[1]:.0f}", end) if named and not bare else None

    def _section(self, at: int) -> _Place | None:
        for lead in range(_LEADING + 1):
            begin = at + lead
            if begin >= len(self._tokens):
                return None
            section = self._lexicon.sense(self._tokens, begin, "section")
            if section is not None:
                return _Place(" ".join(self._tokens[at : begin + section[0]]), begin + section[0])
            articled = self._tokens[begin] in self._lexicon.words.places.articles
            if not articled and self._lexicon.sense(self._tokens, begin, "ordinal") is None:
                return None
        return None

    def _phrase(self, name: str, at: int) -> int:
        return self._lists[name].length(self._tokens, at)

    def _refused(self, at: int) -> int:
        """Tokens that refuse what stands at a token."""
        longest = range(min(_LONGEST, at), 0, -1)
        return next((n for n in longest if tuple(self._tokens[at - n : at]) in self._refusing), 0)

    def _tasks(self, order: str) -> list[Task]:
        """What an order means."""
        places = tokens_in(order)
        spoken = [token.text for token in places]
        figures = Figures(spoken, [word.casefold() for word in spoken], self._lexicon)
        orders = OrderReader(self._lexicon, self._readings, spoken, figures, Names(order, places)).read()
        told = any(clause.outcome == "told" for clause in orders.clauses)
        return [] if told else list(orders.tasks)


def in_letters(task: Task, names: Sequence[str]) -> Task:
    """The task; a place named bridge becomes the section B if all section names are single letters (AABA)."""
    if not names or not all(len(name) == 1 for name in names):
        return task
    scope = structs.replace(task.scope, places=tuple(map(_lettered, task.scope.places)))
    operation = task.operation
    at = getattr(operation, "at", None)
    if isinstance(at, Named):
        operation = structs.replace(operation, at=_lettered(at))
    return structs.replace(task, operation=operation, scope=scope)


def _lettered(place: Place) -> Place:
    return structs.replace(place, name="B") if isinstance(place, Named) and place.name == "bridge" else place

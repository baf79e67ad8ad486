"""Said meters: which bars of a new piece are to be in which meter: sections, bars that take turns, the whole piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.intent import Metered
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.section_kinds import kind_of

UNITS = (2, 4, 8)
_FINE, _FEWEST_FINE = 16, 5
"""The shortest beat of a meter, and how many of it a bar has at least: less is the length of a note."""
_MOST = 16
_FAR = 7
"""Words between a section and its meter at most."""
_STOPS = frozenset(".;!?")
_PLUS = "+"
Meter = tuple[int, int]


@dataclass(frozen=True)
class Group:
    """Meters named by the tokens `first` to `last` (not included). `turns`: their bars alternate. `section` is where
    they hold, "" for everywhere else. `places` are the token ranges of the single meters."""

    first: int
    last: int
    meters: tuple[Meter, ...]
    turns: bool = False
    section: str = ""
    places: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class SaidMeters:
    """All groups of meters in a request, and the token ranges that were meant as a meter and are none (`unknown`)."""

    groups: tuple[Group, ...] = ()
    unknown: tuple[tuple[int, int], ...] = ()

    @property
    def metered(self) -> tuple[Metered, ...]:
        """The meters of sections ("verse in 7/8"), and for the whole piece those that alternate ("3/4 and 4/4 in
        turn")."""
        return tuple(Metered(one.section, one.meters) for one in self.groups if one.section or one.turns)

    @property
    def tokens(self) -> frozenset[int]:
        """Indices of the tokens that state the meters of sections, or alternating ones."""
        said = (one for one in self.groups if one.section or one.turns)
        return frozenset(at for one in said for at in range(one.first, one.last))

    @property
    def open(self) -> tuple[Group, ...]:
        """The groups for the whole piece if they contradict each other, so that the person has to choose; otherwise
        empty."""
        free = [one for one in self.groups if not one.section]
        return tuple(free) if len({(one.meters, one.turns) for one in free}) > 1 or _choice(free) else ()


def _choice(free: Sequence[Group]) -> bool:
    return any(len(set(one.meters)) > 1 and not one.turns for one in free)


def is_meter(beats: int, unit: int) -> bool:
    """Whether a piece can be written in bars of `beats` beats of a 1/`unit` note."""
    return 1 <= beats <= _MOST and (unit in UNITS or (unit == _FINE and beats >= _FEWEST_FINE))


def said_meters(tokens: Sequence[str], lexicon: Lexicon) -> SaidMeters:
    """The meters that casefolded tokens state."""
    return _Reader(list(tokens), lexicon).said()


@dataclass
class _Reader:
    """Reads the meters of one request."""

    tokens: list[str]
    lexicon: Lexicon
    unknown: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        words, grammar = self.lexicon.words.layout, self.lexicon.words.grammar
        self._turns = [phrase_tokens(one) for one in words.turns]
        self._links = frozenset({*words.links, *self.lexicon.words.places.articles, ":"})
        self._ahead = frozenset({*words.ahead, *self.lexicon.words.places.articles})
        self._time = frozenset(words.time)
        # "in three" may count anything
        phrases = (phrase_tokens(one) for said in self.lexicon.words.meters.values() for one in said)
        self._worded = frozenset(one[0] for one in phrases if one[0] not in self._links)
        self._joins = frozenset({*grammar.joins, ",", _PLUS, *words.between})

    def said(self) -> SaidMeters:
        """All of it."""
        groups: list[Group] = []
        claimed: set[int] = set()
        for group in self._grouped(list(self._meters())):
            if group.turns or len(group.meters) == 1:
                groups += self._named(group, claimed) or [group]
                continue
            # "verse in 7/8 and 4/4 for the chorus" says of each where it holds
            parts = zip(group.places, group.meters, strict=True)
            each = [self._named(Group(*place, (meter,), places=(place,)), claimed) for place, meter in parts]
            groups += [one for named in each for one in named] if all(each) else [group]
        return SaidMeters(tuple(self._corrected(groups)), tuple(self.unknown))

    def _named(self, group: Group, claimed: set[int]) -> list[Group]:
        return self._behind(group, claimed) or self._before(group, claimed)

    def _meters(self) -> Iterator[tuple[int, int, Meter]]:
        """Every meter with its first and last token."""
        at = 0
        while at < len(self.tokens):
            read = self._read(at)
            if read is not None:
                yield at, read[0], read[1]
            elif self._means_meter(at):
                self.unknown.append((at, at + 3))
            at = read[0] if read is not None else at + 1

    def _read(self, at: int) -> tuple[int, Meter] | None:
        if self._is_fraction(at):
            beats, unit = int(self.tokens[at][:3]), int(self.tokens[at + 2][:3])
            end = at + 3 + (self._word(at + 3) in self._time)
            return (end, (beats, unit)) if is_meter(beats, unit) and beats > 1 else None
        found = self.lexicon.find(self.tokens, at) if self.tokens[at] in self._worded else None
        if found is None or "meter" not in found.senses or "style" in found.senses or found.length < 2:
            return None
        beats_said, _, unit_said = found.senses["meter"].partition("/")
        return at + found.length, (int(beats_said), int(unit_said))

    def _is_fraction(self, at: int) -> bool:
        sign = self.tokens[at : at + 3]
        return len(sign) == 3 and sign[1] == "/" and sign[0].isdecimal() and sign[2].isdecimal()

    def _means_meter(self, at: int) -> bool:
        """Whether a fraction that is no meter is meant as one: "in 13/3", "19/8 time", but not "in 1/16 notes"."""
        if not self._is_fraction(at):
            return False
        section = any(self._section_up_to(back) for back in (at, at - 1))
        closed = not self._word(at + 3).isalpha() or self._word(at + 3) in self._joins
        return self._word(at + 3) in self._time or ((self._word(at - 1) == "in" or section) and closed)

    def _grouped(self, meters: Sequence[tuple[int, int, Meter]]) -> Iterator[Group]:
        """Meters with only joining words between them as one group."""
        at = 0
        while at < len(meters):
            own = [meters[at]]
            while at + len(own) < len(meters) and self._joined(own[-1][1], meters[at + len(own)][0]):
                own.append(meters[at + len(own)])
            at += len(own)
            first, last = own[0][0], own[-1][1]
            joined = [self.tokens[one[1] : other[0]] for one, other in pairwise(own)]
            before, after = self._turn_before(first), self._turn_after(last)
            turns = len(own) > 1 and (
                before > 0 or after > 0 or any(_PLUS in one or self._turn_in(one) for one in joined)
            )
            places = tuple((one[0], one[1]) for one in own)
            whole = tuple(one[2] for one in own)
            if turns:
                yield Group(first - before, last + after, whole, True, "", places)
            else:
                yield Group(first, last, whole if len(set(whole)) > 1 else whole[:1], False, "", places)

    def _joined(self, end: int, begin: int) -> bool:
        between = self.tokens[end:begin]
        return 0 < len(between) <= _FAR and all(
            word in self._joins or word in self._links or self._turn_in([word]) for word in between
        )

    def _turn_in(self, words: Sequence[str]) -> bool:
        return any(tuple(words[at : at + len(one)]) == one for one in self._turns for at in range(len(words)))

    def _turn_before(self, first: int) -> int:
        """How many words lead to bars that take turns: "alternating between bars of 3/4 and 4/4"."""
        back = 0
        while back < _FAR and first - back > 0 and self.tokens[first - back - 1] in self._links | self._joins - {","}:
            back += 1
        for more in range(back + 1):
            for one in self._turns:
                begin = first - more - len(one)
                if begin >= 0 and tuple(self.tokens[begin : first - more]) == one:
                    return more + len(one)
        return 0

    def _turn_after(self, last: int) -> int:
        """How many words behind meters say that they take turns: "3/4 and 4/4 in turn"."""
        lead = self._word(last) == ","
        return max(
            (lead + len(one) for one in self._turns if tuple(self.tokens[last + lead : last + lead + len(one)]) == one),
            default=0,
        )

    def _behind(self, group: Group, claimed: set[int]) -> list[Group]:
        """The group for the sections that stand before it: "verses and bridge in 7/8"."""
        here = group.first
        while here and group.first - here < _FAR and self.tokens[here - 1] in self._links:
            here -= 1
        found = self._section_up_to(here)
        if found is None or found[1] in claimed:
            return []
        names = [found]
        while (join := names[-1][1] - 1) > 0 and self.tokens[join] in self._joins - {",", _PLUS}:
            article = self._word(join - 1) in self.lexicon.words.places.articles
            other = self._section_up_to(join - article)
            if other is None or other[1] in claimed:
                break
            names.append(other)
        claimed.update(begin for _, begin in names)
        return [Group(here, group.last, group.meters, group.turns, name, group.places) for name, _ in names]

    def _before(self, group: Group, claimed: set[int]) -> list[Group]:
        """The group for the section that stands behind it: "7/8 verse", "7/8 in the chorus"."""
        at = group.last
        while at - group.last < _FAR and self._word(at) in self._ahead:
            at += 1
        found = self._section_at(at)
        if found is None or at in claimed:
            return []
        own = at + found[0]
        while self._word(own) in self._links:
            own += 1
        if own < len(self.tokens) and self._read(own) is not None:
            # "in 4/4 the verse in 7/8": it has one of its own
            return []
        claimed.add(at)
        return [Group(group.first, at, group.meters, group.turns, found[1], group.places)]

    def _section_at(self, at: int) -> tuple[int, str] | None:
        """How many tokens name a section, and which: beside a meter a solo, a groove or a head is one too."""
        if at >= len(self.tokens):
            return None
        name = self.tokens[at].removesuffix("s")
        return self.lexicon.sense(self.tokens, at, "section") or ((1, name) if kind_of(name).words else None)

    def _section_up_to(self, end: int) -> tuple[str, int] | None:
        """The section that is named by the tokens right before one, with its number, and the first of them."""
        number = self._word(end - 1) if self._word(end - 1).isdecimal() and end > 1 else ""
        stop = end - bool(number)
        for length in range(min(3, stop), 0, -1):
            found = self._section_at(stop - length)
            if found is not None and found[0] == length:
                return f"{found[1]} {number}".strip(), stop - length
        return None

    def _corrected(self, groups: Sequence[Group]) -> Iterator[Group]:
        """The groups without those of the whole piece that a word of correcting takes back: "in 4/4, no, in 3/4"."""
        words = self.lexicon.words.figures
        corrects = frozenset(words.corrects if words is not None else ())
        for at, one in enumerate(groups):
            later = groups[at + 1 :]
            if one.section or not any(
                not other.section and corrects & {*self.tokens[one.last : other.first]} for other in later[:1]
            ):
                yield one

    def _word(self, at: int) -> str:
        return self.tokens[at] if 0 <= at < len(self.tokens) else ""

"""Frames: clauses that no ordered form explains, read by what they hold, in whatever order it is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct, structs

from agent.composer.operation_words import ClauseFrame, OperationWords
from agent.composer.phrasing import Element, Maybe, Word, needed
from agent.composer.same_objects import once_for_same
from agent.composer.understanding.inflecting import inflected
from agent.composer.understanding.items import Item, Measure, Referring
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import WHOLE_LIST, Filling, FormFit
from agent.composer.understanding.ownership import free_words, said_at
from agent.composer.understanding.slots import SlotReader
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Vocabulary

MOST_SEGMENTS = 4
"""The most segments between signs and conjunctions that one frame may span: "the drums, could they, in the verse, be
louder"."""
_SHORTEST = 3
"""Letters of the shortest word that takes endings."""
_NEAR = 4
"""Words before a participle among which it is said that something is to "be" done."""
_ENDING = ("break", "aside")
_NOTHING = "nothing"
"""How the language file calls what asks for nothing."""
_ADD = "add"
"""How the language file calls what brings a part in."""
_SIGNS = ("comma", "stop")


class _Read(Struct, frozen=True):
    """A frame that explains all of a window: its fillings, and how many telling words its cue and its slots explain."""

    frame: ClauseFrame
    fillings: tuple[Filling, ...]
    explained: int
    by_cue: int

    @property
    def rank(self) -> tuple[int, int]:
        return self.explained, self.by_cue


class FrameReader:
    """Reads clauses that no pattern with a fixed order matches, by clause frames: a cue word ("louder") and its slots
    in any order."""

    def __init__(self, lexicon: Lexicon, slots: SlotReader) -> None:
        words = lexicon.words
        self._lexicon = lexicon
        self._slots = slots
        self._framing = words.framing
        self._joins = frozenset((*words.grammar.joins, *words.grammar.either))
        self._referring = frozenset(words.grammar.referring)
        self._limiting = frozenset(words.grammar.limiting)
        phrases = [phrase for phrase in words.grammar.empty if " " in phrase]
        self._passing = (*words.framing.passing, *words.framing.light, *phrases)
        self._light = frozenset(words.grammar.light)
        self._universal = frozenset(words.framing.universal)
        self._idle = frozenset[int]()
        self._brought: dict[int, tuple[int, tuple[object, ...]]] = {}
        self._frames = _frames(words)

    def _stems(self, items: Sequence[Item]) -> list[frozenset[str]]:
        """Of each item its text and what it may be a form of; a participle only where something is to "be" done."""
        stems: list[frozenset[str]] = []
        for at, item in enumerate(items):
            passive = any(one.text in self._framing.passive for one in items[max(0, at - _NEAR) : at])
            endings = (*self._framing.endings, *(self._framing.participles if passive else ()))
            cut = [item.text.removesuffix(ending) for ending in endings if item.text.endswith(ending)]
            bare = [stem for stem in cut if len(stem) >= _SHORTEST]
            doubled = [stem[:-1] for stem in bare if stem[-1] == stem[-2]]
            muted = [stem + mute for stem in bare for mute in self._framing.silent]
            stems.append(frozenset((item.text, *bare, *doubled, *muted)))
        return stems

    def read(
        self, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]]
    ) -> tuple[dict[int, FormFit[OperationWords]], frozenset[int]]:
        """The matched patterns (by the item where they begin), with those of clause frames (a cue and its slots in any
        order) added where they explain a clause that was not or not completely matched.

        The second value are the items of clauses that two frames explain equally well; these are left unmatched.
        """
        texts = [item.text for item in items]
        self._idle = frozenset(
            at for first, found in finds.items() if found.payload.operation == _NOTHING
            for at in range(first, found.end)
        )
        self._brought = {at: (found.end, new) for at, found in finds.items() if (new := self._brings(found))}
        free = free_words(texts, self._lexicon)
        passing = said_at(texts, self._passing)
        owned = {at for first, found in finds.items() for at in range(first, found.end)}
        unread = {
            at for at, item in enumerate(items)
            if item.kind == "word" and at not in owned and at not in free and item.text not in self._light
        }
        made, doubtful = dict(finds), set[int]()
        segments = list(self._segments(items))
        number = 0
        while number < len(segments):
            taken = self._longest(items, segments, number, finds, unread, free, passing)
            if taken is not None:
                first, end, read = taken
                made = {at: found for at, found in made.items() if not first <= at < end}
                if read is None:
                    doubtful.update(range(first, end))
                else:
                    made[first] = FormFit(end, read.frame, read.fillings, max(1, read.explained))
                number = next((k for k, one in enumerate(segments) if one[0] >= end), len(segments))
            else:
                number += 1
        return dict(sorted(made.items())), frozenset(doubtful)

    def _ends_segment(self, item: Item) -> bool:
        return item.kind in (*_SIGNS, *_ENDING) or item.text in self._joins

    def _segments(self, items: Sequence[Item]) -> Iterator[tuple[int, int]]:
        """First and last item (not included) of what stands between signs, breaks and joins."""
        first = 0
        for at in range(len(items) + 1):
            if at == len(items) or self._ends_segment(items[at]):
                if at > first:
                    yield first, at
                first = at + 1

    def _longest(
        self, items: Sequence[Item], segments: Sequence[tuple[int, int]], number: int,
        finds: Mapping[int, FormFit[OperationWords]], unread: set[int], free: frozenset[int],
        passing: frozenset[int],
    ) -> tuple[int, int, _Read | None] | None:
        """The longest window from a segment on that a frame explains; without a reading where two do equally."""
        first = segments[number][0]
        for last in range(min(len(segments), number + MOST_SEGMENTS) - 1, number - 1, -1):
            end = segments[last][1]
            whole = all(self._joined(items[at]) for at in range(first, end))
            unexplained = unread & set(range(first, end))
            torn = last == number and self._torn(finds, first, end)
            cuts = any(at < first < found.end or (first <= at < end < found.end) for at, found in finds.items())
            if not whole or cuts or self._spared(items, first) or not (unexplained or torn):
                continue
            reads = list(self._readings(items, first, end, free, passing))
            if not reads:
                continue
            best = max(read.rank for read in reads)
            kinds = {_said(read.frame) for read in reads if read.rank == best}
            chosen = next(read for read in reads if read.rank == best)
            if len(kinds) > 1 and not unexplained:
                continue
            return first, end, chosen if len(kinds) == 1 else None
        return None

    @staticmethod
    def _torn(finds: Mapping[int, FormFit[OperationWords]], first: int, end: int) -> bool:
        """Whether forms take a clause in two: "I want the bass / to be louder", "warm / the strings up"."""
        return sum(first <= at < end for at in finds) > 1

    def _spared(self, items: Sequence[Item], first: int) -> bool:
        """Whether what begins at an item is what is left out: "everything but the drums"."""
        return first > 1 and items[first - 1].kind == "break" and items[first - 2].text in self._universal

    @staticmethod
    def _joined(item: Item) -> bool:
        """Whether an item may stand within a window."""
        return item.kind not in _ENDING and (item.kind != "stop" or item.text == ":")

    def _readings(
        self, items: Sequence[Item], first: int, end: int, free: frozenset[int], passing: frozenset[int]
    ) -> Iterator[_Read]:
        stems = self._stems(items[first:end])
        texts = frozenset[str]().union(*stems)
        for frame, cue, needs in self._frames:
            if any(need.isdisjoint(texts) for need in needs):
                continue
            covered = _cued(cue, stems, texts, first)
            read = self._filled(frame, items, first, end, covered, free, passing) if covered is not None else None
            if read is not None:
                yield read

    def _filled(
        self, frame: ClauseFrame, items: Sequence[Item], first: int, end: int, cued: frozenset[int],
        free: frozenset[int], passing: frozenset[int],
    ) -> _Read | None:
        covered = set(cued)
        fillings: list[Filling] = []
        for slot in (*frame.needs, *frame.may):
            filling = self._slot(frame, slot, items, first, end, covered)
            if filling is not None:
                fillings.append(filling)
                covered.update(range(filling.first, filling.last))
                if slot in frame.behind:
                    covered.add(filling.first - 1)
            elif slot in frame.needs:
                return None
        for at in range(first, end):
            item = items[at]
            if at in covered or (item.kind in _SIGNS):
                continue
            if item.kind != "word":
                wholly = isinstance(item.value, Measure) and not item.value.exact and item.value.factor >= 1
                if item.kind not in frame.marks and not wholly:
                    return None
            elif at not in passing and (at not in free or item.text in self._joins or item.text in self._limiting):
                return None
        telling = {at for at in range(first, end) if at not in free and items[at].text not in self._light}
        said, by_cue = len(covered & telling), len(cued & telling)
        return _Read(frame, tuple(sorted(fillings, key=lambda one: one.first)), said, by_cue)

    def _slot(
        self, frame: ClauseFrame, slot: str, items: Sequence[Item], first: int, end: int, covered: set[int]
    ) -> Filling | None:
        """The first place of a window at which a slot can be read, behind a word that its role asks for."""
        name = WHOLE_LIST if slot == "part" else slot
        behind, apart = frame.behind.get(slot), frame.apart.get(slot, ())
        for at in range(first, end):
            before = items[at - 1].text if at else ""
            if at in covered or (behind is not None and before not in behind) or before in apart:
                continue
            read = self._slots.read(name, items, at, opening=True)
            if read is not None and read[1] == (Referring(),):
                continue
            if read is not None and read[0] <= end and not covered & set(range(at, read[0])):
                return Filling(slot, read[1], at, read[0])
        return self._pointing(items, first, end, covered) if slot == "part" and slot in frame.needs else None

    def _pointing(self, items: Sequence[Item], first: int, end: int, covered: set[int]) -> Filling | None:
        """A word that stands for a part that was named before: it, them."""
        at = next((k for k in range(first, end) if k not in covered and items[k].text in self._referring), None)
        if any(items[k].text in self._universal for k in range(first, end)):
            # "tune it all down" is about no part alone
            return None
        return Filling("part", self._before(items, first), at, at + 1) if at is not None else None

    def _brings(self, found: FormFit[OperationWords]) -> tuple[object, ...]:
        """Who comes into the song with a form: what it adds, or the one player of it that the song lacks."""
        if found.payload.operation == _ADD:
            return cast("tuple[object, ...]", found.value("part") or ())
        return self._newcomers(found.value("by")) or self._newcomers(found.value("part"))

    def _newcomers(self, value: object) -> tuple[object, ...]:
        """The first player in a slot that the song lacks."""
        wishes = (one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Wish))
        return tuple(one for one in wishes if not self._lexicon.has_already(one))[:1]

    def _before(self, items: Sequence[Item], first: int) -> tuple[object, ...]:
        """The parts that are named last before a window, whatever is said of them."""
        at, came, named = 0, False, cast("tuple[object, ...]", (Referring(),))
        while at < first:
            if at in self._idle:
                # what something is only held against: "too soft compared with the piano"
                at += 1
                continue
            if (brought := self._brought.get(at)) is not None:
                # what comes in is meant, whatever it is played over
                named, came = brought[1], True
                at = next((k for k in range(brought[0], first) if self._ends_segment(items[k])), first)
                continue
            read = self._slots.read(WHOLE_LIST, items, at, opening=True)
            came = came and items[at].kind != "stop"
            if read is not None and read[0] <= first:
                new = self._newcomers(read[1])
                named = new or (named if came else cast("tuple[object, ...]", read[1]))
                came = came or bool(new)
            at = read[0] if read is not None else at + 1
        return named


@once_for_same
def _frames(words: Vocabulary) -> list[tuple[ClauseFrame, tuple[Element, ...], tuple[frozenset[str], ...]]]:
    """Each frame with what it is recognised by, and for each word of it the tokens of which a clause holds one."""
    found: list[tuple[ClauseFrame, tuple[Element, ...], tuple[frozenset[str], ...]]] = []
    for frame in words.framing.frames:
        for form in frame.forms:
            cue = words.parser.elements(form)
            cues = (cue, *inflected(cue, words.framing.inflection))
            found += [(frame, one, needed(one)) for one in cues]
    return found


def _said(frame: ClauseFrame) -> str:
    """What a frame asks for, whatever its words."""
    return repr(structs.replace(frame, forms=(), needs=(), may=(), behind={}, apart={}, marks=()))


def _cued(
    cue: Sequence[Element], stems: Sequence[frozenset[str]], texts: frozenset[str], first: int
) -> frozenset[int] | None:
    """The items that are the words of a cue, in its order and with gaps; None where one is missing.

    `stems` are those of a window, whose first item has the number `first`, and `texts` all of them.
    """
    at, covered = 0, set[int]()
    for element in cue:
        maybe = isinstance(element, Maybe)
        word = element.elements[0] if isinstance(element, Maybe) else element
        found = _first(word, stems, texts, at) if isinstance(word, Word) else None
        if found is not None:
            covered.update(range(first + found[0], first + found[1]))
            at = found[1]
        elif not maybe:
            return None
    return frozenset(covered)


def _first(
    word: Word, stems: Sequence[frozenset[str]], texts: frozenset[str], at: int
) -> tuple[int, int] | None:
    """The first stretch from an item on that is one of the phrases of a word."""
    phrases = [phrase for phrase in word.phrases if phrase[0] in texts]
    for start in range(at, len(stems)) if phrases else ():
        for phrase in phrases:
            stop = start + len(phrase)
            if stop <= len(stems) and all(text in stems[start + k] for k, text in enumerate(phrase)):
                return start, stop
    return None

"""Given chords: what a request writes down of chords, as a chart, and which of its words say so."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from agent.composer.phrase_sets import phrase_set
from agent.composer.tokens import Token
from agent.composer.understanding.asked_chart import AskedChart
from agent.composer.understanding.ending_chords import ending_chords
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import is_figure, number_at
from agent.composer.understanding.phrases import Phrases
from agent.theory.charts.counts import times_of
from agent.theory.charts.passages import Passage, passages
from agent.theory.charts.rows import is_bare

_FEWEST = 3
_STEPS = 7
_BETWEEN = frozenset({",", "and", "then", "–", "-", "to"})
_SPLIT = re.compile(r"[-–—,./]")
_KNOWN = ((2, 5, 1), (1, 6, 2, 5), (1, 5, 6, 4), (1, 6, 4, 5), (6, 4, 1, 5), (1, 4, 5))
"""What in words needs no key to be meant."""


class Degrees(Struct, frozen=True):
    """Scale degrees (`steps`, from 1) named by the tokens up to `end` (not included); `sure` if a key follows them or
    they are a known progression in words."""

    steps: tuple[int, ...]
    end: int
    sure: bool

    @property
    def text(self) -> str:
        """The degrees as a chart writes them."""
        return " ".join(map(str, self.steps))


def _degrees_at(tokens: Sequence[str], at: int, lexicon: Lexicon, in_key: Callable[[int], bool]) -> Degrees | None:
    """The scale degrees that begin at a token ("a two five one"); None for none.

    `in_key` says whether a key is named at a token. Mere counting ("one two three four") is none.
    """
    steps: list[int] = []
    here, worded = at, True
    while here < len(tokens):
        following = here + (bool(steps) and tokens[here] in _BETWEEN)
        own = _steps(tokens, following, lexicon)
        if not own:
            break
        worded = worded and not any(is_figure(piece) for piece in _SPLIT.split(tokens[following]))
        steps += own
        here = following + 1
    on = all(after == before + 1 for before, after in pairwise(steps))
    if len(steps) < _FEWEST or on or _counts(tokens, at, lexicon):
        return None
    keyed = here + 1 < len(tokens) and tokens[here] == "in" and in_key(here + 1)
    return Degrees(tuple(steps), here, keyed or (worded and tuple(steps) in _KNOWN))


def _counts(tokens: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Whether a word before the figures says that they number something else: "bars one, four and five"."""
    places = lexicon.words.places
    return at > 0 and tokens[at - 1] in (*places.bar, *places.beat)


def _steps(tokens: Sequence[str], at: int, lexicon: Lexicon) -> list[int]:
    """The degrees of one token, several where it is joined by signs: two-five-one; none where it is no degree."""
    if at >= len(tokens):
        return []
    found = [number_at([piece], 0, lexicon) for piece in _SPLIT.split(tokens[at])]
    values = [int(one[1]) for one in found if one is not None and one[1] == int(one[1]) and 1 <= one[1] <= _STEPS]
    return values if len(values) == len(found) else []


_ENDS = frozenset(".;!?,")
_STOPS = frozenset(".;!?")
_FEW = 2
"""Fewest chords of a row behind a word for chords or for its section."""
_LINKS = frozenset({
    ":", "=", "is", "are", "goes", "go", "like", "over", "on", "with", "to", "of", "use", "uses", "using", "has",
    "have", "plays", "play", "chords", "the", "these", "being", "runs", "in",
})
"""What stands between the name of a section and its chords."""
_BEHIND = frozenset({"in", "for", "of", "as", "during", "the", "a", "an"})
_FAR = 6
_LONGEST = 100
_LETTERS = frozenset("ABCD")


class SaidChords(Struct, frozen=True):
    """Chords written down in a request, as text, with the section named beside them and how long each lasts (`each`: "2
    bars", or "").

    `form` says that the text names sections itself. `tokens` are those of the chords and what leads to them, `naming`
    those of the section's name. `minor` is the text for a minor key, "" for the same.
    """

    text: str
    form: bool
    section: str
    each: str
    tokens: frozenset[int]
    naming: frozenset[int]
    minor: str = ""


def said_chords(
    request: str, places: Sequence[Token], spoken: Sequence[str], lexicon: Lexicon, in_key: Callable[[int], bool]
) -> list[SaidChords]:
    """The chords that a request writes down, in order; `places` are its tokens, `spoken` their corrected spelling, and
    `in_key` says whether a key is named at a token.

    Rows that could be something else count only after a word for chords or the name of a section, a single chord only
    where it is said to stay.
    """
    words = lexicon.words.notes
    if words is None:
        return []
    tokens = [token.casefold() for token in spoken]
    names = ("chords", "called", "around", "one_chord", "each", "ends_on", "at_end", "ends_together")
    lists = {name: getattr(words, name) for name in names}
    phrases = Phrases(lists, tokens)
    finder = _Finder(places, list(spoken), tokens, phrases, lexicon)
    # on which the piece ends it does not go round
    ending = ending_chords(tokens, spoken, phrases)[1]
    found = [finder.said(one) for one in passages(request, finder.is_section)]
    said = [one for one in found if one is not None and not one.tokens & ending]
    each, saying = finder.each()
    if not said:
        said = finder.progression(words.progressions, words.progressions_in_minor) or finder.degrees(
            words.progressions, words.progressions_in_minor, in_key
        )
    if not each or all(one.form for one in said) or any(saying & one.tokens for one in said):
        return said
    # "eight bars each" of another sentence are parts of the piece
    return [
        replace(one, each=each, tokens=one.tokens | saying) if _together(one.tokens, saying, tokens) else one
        for one in said
    ]


def _together(one: frozenset[int], other: frozenset[int], tokens: Sequence[str]) -> bool:
    """Whether two stretches stand in one sentence, or nothing but signs between them."""
    first, last = sorted((one, other), key=min)
    between = tokens[max(first) + 1 : min(last)]
    return not _STOPS.intersection(between) or not any(word.isalnum() for word in between)


def asked_chart(said: Sequence[SaidChords]) -> AskedChart | None:
    """The chart of all the chords `said` together; None without any."""
    if not said:
        return None
    named = [one for one in said if one.section]
    goes_round = len(said) == 1 and not named and not said[0].form
    leads = len(named) != 1 or len(said) > 1 or said[0].form
    parts = [f"[{one.section}]\n{_spaced(one)}" if one.section else _spaced(one) for one in said]
    minor = _spaced(replace(said[0], text=said[0].minor)) if len(said) == 1 and said[0].minor else ""
    return AskedChart("\n".join(parts), goes_round, leads, in_minor=minor)


def _spaced(one: SaidChords) -> str:
    """The chords, those of a row as long each as was said."""
    return one.text if not one.each or one.form else f"{one.text} ({one.each} each)"


class _Finder:
    """Looks around the passages of one request."""

    def __init__(
        self, places: Sequence[Token], spoken: Sequence[str], tokens: Sequence[str], phrases: Phrases, lexicon: Lexicon
    ) -> None:
        self._places = places
        self._spoken = spoken
        self._tokens = tokens
        self._phrases = phrases
        self._lexicon = lexicon

    def is_section(self, name: str) -> bool:
        """Whether a text names a section."""
        words = name.replace("-", "-").split()
        found = self._lexicon.sense(words, 0, "section")
        return (found is not None and found[0] == len(words)) or (len(words) == 1 and name.upper() in _LETTERS)

    def said(self, one: Passage) -> SaidChords | None:
        """A passage with what leads to it; None where it is meant otherwise."""
        own = [at for at, token in enumerate(self._places) if token.start < one.end and token.end > one.start]
        if not own:
            return None
        first, last = own[0], own[-1] + 1
        led = first
        while led and (length := self._led(led)):
            led -= length
        announced = led < first or self._phrases.length("called", last) > 0
        named = None if one.headed else self._named(led) or self._named_behind(last)
        name, naming = named or ("", range(0))
        comma = last + (self._tokens[last : last + 1] == [","])
        stays = self._led(led, "one_chord")
        alone = one.few == 1 and not self._names_key(one, led) and (stays or self._phrases.length("around", comma))
        if not one.sure and not alone and (one.few < _FEW or not (announced or naming)):
            return None
        led -= stays if alone else 0
        last += self._phrases.length("called", last)
        comma = last + (self._tokens[last : last + 1] == [","])
        around = self._phrases.length("around", comma)
        last = comma + around if around else last
        return SaidChords(one.text, one.form, name, "", frozenset(range(led, last)), frozenset(naming))

    def _names_key(self, one: Passage, first: int) -> bool:
        """Whether a single chord may be a key: a letter, "A minor" in words, "in Am"."""
        spelled = one.end - one.start > len(one.text)
        inside = first > 0 and self._tokens[first - 1] == "in" and is_bare(one.text.removesuffix("m"))
        return spelled or inside or is_bare(one.text)

    def progression(self, known: Mapping[str, Sequence[str]], minor: Mapping[str, str]) -> list[SaidChords]:
        """The progression that a request names, as numerals that go round: "canon-type chords"."""
        if self._lexicon.song.note_count:
            return []
        for chords, names in known.items():
            rows = phrase_set(tuple(names))
            found = next((at for at in range(len(self._tokens)) if rows.length(self._tokens, at)), None)
            if found is not None:
                said = frozenset(range(found, found + rows.length(self._tokens, found)))
                return [SaidChords(chords, False, "", "", said, frozenset(), minor.get(chords, ""))]
        return []

    def degrees(
        self, known: Mapping[str, Sequence[str]], minor: Mapping[str, str], in_key: Callable[[int], bool]
    ) -> list[SaidChords]:
        """The degrees that a request says without signs, as those of the progression that they are known for."""
        for at in range(len(self._tokens) if not self._lexicon.song.note_count else 0):
            led = self._led(at)
            found = _degrees_at(self._tokens, at, self._lexicon, in_key)
            called = self._phrases.length("called", found.end) if found is not None else 0
            if found is None or not (found.sure or led or called):
                continue
            chords = next((one for one, names in known.items() if f"{found.text} chords" in names), found.text)
            end = found.end + called
            said = frozenset(range(at - led, end + self._phrases.length("around", end)))
            return [SaidChords(chords, False, "", "", said, frozenset(), minor.get(chords, ""))]
        return []

    def each(self) -> tuple[str, frozenset[int]]:
        """How long each chord lasts, with the tokens that say so: "two bars each"; empty where nothing does."""
        words = self._lexicon.words.places
        for at in range(len(self._tokens)):
            number = number_at(self._tokens, at, self._lexicon)
            unit = at + number[0] if number is not None else at
            noun = self._tokens[unit] if unit < len(self._tokens) else ""
            each = self._phrases.length("each", unit + 1) if noun in (*words.bar, *words.beat) else 0
            if number is not None and each and 1 <= number[1] < _LONGEST:
                said = "beats" if noun in words.beat else "bars"
                return f"{int(number[1])} {said}", frozenset(range(at, unit + 1 + each))
        return "", frozenset()

    def _led(self, at: int, name: str = "chords") -> int:
        """Tokens of what leads to chords right before a token: "only with the chords", "the progression:"."""
        longest = min(6, at)
        sign = 1 if at and self._tokens[at - 1] == ":" else 0
        found = [n for n in range(longest - sign, 0, -1) if self._phrases.length(name, at - sign - n) == n]
        return found[0] + sign if found else 0

    def _named(self, at: int) -> tuple[str, range] | None:
        """The section before a token, as in "verse:" or "the bridge goes", with the tokens up to there."""
        here = at
        while here and at - here < _FAR and self._tokens[here - 1] in _LINKS:
            here -= 1
        if here == at and (not here or self._tokens[here - 1] in _ENDS):
            return None
        if here and self._spoken[here - 1] in _LETTERS and here < at and self._tokens[here] == ":":
            return self._spoken[here - 1], range(here - 1, at)
        for length in (2, 1):
            times = times_of("".join(self._tokens[max(0, here - length) : here])) if at > here else 1
            if times > 1 and (found := self._named_up_to(here - length)) is not None:
                return f"{found[0]} x{times}", range(found[1], at)
        numbered = here - (here > 1 and self._tokens[here - 1].isdecimal())
        for end in dict.fromkeys((here, numbered)):
            if (own := self._named_up_to(end)) is not None:
                return own[0], range(own[1], at)
        return None

    def _named_up_to(self, end: int) -> tuple[str, int] | None:
        """The section that is named by the tokens right before one, and the first of them."""
        for length in range(min(3, end), 0, -1):
            found = self._lexicon.sense(self._tokens, end - length, "section")
            if found is not None and found[0] == length:
                return found[1], end - length
        return None

    def _named_behind(self, at: int) -> tuple[str, range] | None:
        """The section behind a token, as in "in the verse"."""
        here = at
        while here < len(self._tokens) and here - at < _FAR and self._tokens[here] in _BEHIND:
            here += 1
        found = self._lexicon.sense(self._tokens, here, "section") if here > at else None
        return (found[1], range(at, here + found[0])) if found is not None else None

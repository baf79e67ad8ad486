"""Reading a request: from words to an intent. Any text is only text here; nothing in it is obeyed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.charting import with_chart, without_chord_part
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.finishing_tasks import without_pieces
from agent.composer.understanding.given_chords import asked_chart
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import is_figure, unit_at
from agent.composer.understanding.ownership import quoted
from agent.composer.understanding.request_reader import RequestReader
from agent.composer.understanding.said_apart import said_apart
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.spelled_request import SpelledRequest
from agent.composer.understanding.techniques import ordered

_LONGEST = 5
"""Tokens of the longest figure: "B flat minor", "128 beats per minute"."""
_SIGNS = frozenset(",;.!?")
_TEMPO = "bpm"


class _Figure(Struct, frozen=True):
    """A figure, where it ends, and the unit that is said with it."""

    kind: str
    value: object
    end: int
    unit: str = ""


def _rebuff_in(tokens: Sequence[str], lexicon: Lexicon) -> range:
    """The range of tokens at the head of a request that only say no to what was said before ("no, 120"), or that it was
    said ("I said 120"); empty for none."""
    length = phrase_set(lexicon.words.again.rebuffs).length(tokens, 0)
    parted = length and length + 1 < len(tokens) and tokens[length] in _SIGNS
    if parted and tokens[length] == "." and is_figure(tokens[length + 1]):
        return range(0)  # "no. 5"
    said = phrase_set(lexicon.words.again.insisting).length(tokens, length + 1 if parted else 0)
    return range((length + 1 if parted else 0) + said)


def _corrections_in(spoken: Sequence[str], tokens: Sequence[str], lexicon: Lexicon) -> list[range]:
    """The ranges of tokens that only say which figure is wrong: "not 130" in "at 128, not 130". `tokens` are the
    `spoken` ones casefolded."""
    again = lexicon.words.again
    denying, contrasting = phrase_set(again.correcting), phrase_set(again.contrasting)
    if not any(denying.begins(token) for token in tokens):
        return []
    reading = _Reading(Figures([*spoken], [*tokens], lexicon), tokens, lexicon)
    found: list[range] = []
    for at in range(len(tokens)):
        length = denying.length(tokens, at)
        wrong = reading.at(at + length) if length else None
        if wrong is None or (found and at < found[-1].stop):
            continue
        behind = wrong.end + (tokens[wrong.end : wrong.end + 1] == [","])
        behind += contrasting.length(tokens, behind)
        right = reading.ending(at - (tokens[at - 1 : at] == [","]))
        if right is not None and reading.corrects(right, wrong) and reading.ends(wrong.end):
            found.append(range(at, wrong.end))
        elif behind > wrong.end and (right := reading.at(behind)) is not None and reading.corrects(right, wrong):
            found.append(range(at, behind))
    return found


class _Reading(Struct, frozen=True):
    _figures: Figures
    _tokens: Sequence[str]
    _lexicon: Lexicon

    def at(self, at: int) -> _Figure | None:
        """The key, meter or number at a token, a number with its unit."""
        if at >= len(self._tokens):
            return None
        if (key := self._figures.key_at(at)) is not None:
            return _Figure("key", key[1], at + key[0])
        if not is_figure(self._tokens[at]):
            return None
        lower = self._tokens[at + 1 : at + 3]
        if len(lower) > 1 and lower[0] == "/" and lower[1].isdecimal():
            return _Figure("meter", (self._tokens[at], lower[1]), at + 3)
        unit = unit_at(self._tokens, at + 1, self._lexicon)
        end = at + 1 + (unit[0] if unit is not None else 0)
        return _Figure("number", float(self._tokens[at].replace(",", ".")), end, unit[1] if unit is not None else "")

    def ending(self, end: int) -> _Figure | None:
        """The longest figure that ends before a token."""
        found = (self.at(at) for at in range(max(0, end - _LONGEST), end))
        return next((one for one in found if one is not None and one.end == end), None)

    def corrects(self, right: _Figure, wrong: _Figure) -> bool:
        """Whether one figure can stand for the other: of the same kind and unit, and of bare numbers no bars."""
        if right.kind != wrong.kind or right.value == wrong.value or wrong.unit not in ("", right.unit, _TEMPO):
            return False
        song = self._lexicon.song
        bare = right.kind == "number" and not (right.unit or wrong.unit)
        return not (bare and wrong.value == song.bars and wrong.value != song.bpm)

    def ends(self, at: int) -> bool:
        """Whether nothing that the figure before it counts stands at a token."""
        grammar = self._lexicon.words.grammar
        return at >= len(self._tokens) or self._tokens[at] in {*_SIGNS, *grammar.joins, *grammar.empty, *grammar.skip}


def read(request: str, lexicon: Lexicon, readings: Mapping[str, SlotReading], *, has_music: bool) -> Intent:
    """The intent of a request. `readings` turn matched patterns into operations, `has_music` says whether the song has
    notes."""
    text = SpelledRequest(request, lexicon)
    tokens = [token.casefold() for token in text.spoken]
    corrections = _corrections_in(text.spoken, tokens, lexicon)
    silent = frozenset(at for one in (_rebuff_in(tokens, lexicon), *corrections) for at in one)
    reader = RequestReader(text, readings, silent, has_music=has_music)
    intent = _read(text, reader, lexicon, readings, has_music=has_music)
    if not corrections:
        return intent
    return structs.replace(intent, clauses=reader.spelled(_adjoined(intent.clauses, corrections)))


def _read(
    text: SpelledRequest, reader: RequestReader, lexicon: Lexicon, readings: Mapping[str, SlotReading], *,
    has_music: bool,
) -> Intent:
    """The intent of a request whose words are given to a reader."""
    chords = reader.chords()
    if not reader.is_new and reader.intent.goal == "change" and (has_music or not chords):
        return without_chord_part(reader.intent) if chords else _with_glosses(text, reader, readings)
    charted = frozenset(at for one in chords for at in (*one.tokens, *one.naming))
    intent = _with_rules(reader.passing(charted), charted, lexicon, readings)
    asked = asked_chart(chords)
    return without_pieces(intent if asked is None else with_chart(intent, asked, text.request, lexicon))


def _with_rules(
    reader: RequestReader, charted: frozenset[int], lexicon: Lexicon, readings: Mapping[str, SlotReading]
) -> Intent:
    """The intent of a new piece with what is said beside its form; the words of that say nothing else, nor do those
    that say its chart, nor what stands behind a word of denying that is left over."""
    apart = said_apart(
        reader.tokens, reader.spoken, lexicon, readings, staged=lambda: bool(reader.intent.course)
    )
    passed = apart.passed | charted
    rest = reader.passing(passed).intent
    if passed and rest.goal == "change":
        return reader.intent
    denied = _denied_in(rest.clauses, reader.tokens, lexicon.words.grammar.denying)
    told = reader.spelled([*_denials(denied, reader.tokens)])
    if denied:
        rest = reader.passing(passed | denied).intent
    if passed or denied:
        tunes = reader.told_at(apart.tunes)
        clauses = sorted((*rest.clauses, *reader.clauses_at(apart.said | charted), *tunes), key=lambda one: one.first)
        ignored = (*rest.ignored, *(f"{one.text} ({one.reason})" for one in tunes))
        rest = structs.replace(apart.added_to(rest), clauses=tuple(clauses), ignored=ignored)
    return denying(rest, told) if told else rest


def _denied_in(clauses: Sequence[ReadClause], tokens: Sequence[str], denying: Collection[str]) -> frozenset[int]:
    """Indices of tokens of a new piece's clauses that follow a negation not understood, up to the clause's end:
    "doesn't build" asks for no build-up. `denying` are the negating words."""
    left = [one for one in clauses if one.outcome == "told"]
    return frozenset(
        at
        for one in clauses if one.outcome == "understood"
        for inner in left if one.first <= inner.first and inner.last <= one.last
        for first in _denying(inner, tokens, denying) for at in range(first, one.last)
    )


def _denying(clause: ReadClause, tokens: Sequence[str], denying: Collection[str]) -> Iterator[int]:
    return (at for at in range(clause.first, clause.last) if tokens[at] in denying)


def _denials(denied: frozenset[int], tokens: Sequence[str]) -> Iterator[ReadClause]:
    """Clauses with the outcome "told" for each run of the token indices `denied`, which begins with the negation
    ("doesn't build")."""
    for first in sorted(at for at in denied if at - 1 not in denied):
        last = next(at for at in range(first, len(tokens) + 1) if at not in denied)
        yield ReadClause(
            first, last, "told", reason=f"I do not see what {quoted(tokens[first : first + 1])} means there"
        )


def denying(intent: Intent, told: Sequence[ReadClause]) -> Intent:
    """The intent with the clauses `told` inserted in order, in place of clauses that begin within them."""
    held = [one for one in intent.clauses if not any(other.first <= one.first < other.last for other in told)]
    clauses = sorted((*held, *told), key=lambda one: one.first)
    ignored = dict.fromkeys((*intent.ignored, *(one.text for one in told)))
    return structs.replace(intent, clauses=tuple(clauses), ignored=tuple(ignored))


_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")


def _with_glosses(text: SpelledRequest, reader: RequestReader, readings: Mapping[str, SlotReading]) -> Intent:
    """The intent of a change, in which words in brackets that say the same as the order before them belong to its
    clause: "duck the pad under the kick (sidechain)".

    Other words in brackets are read like those outside, and are a clause of their own where they ask for more. `reader`
    reads `text`; `readings` turn matched patterns into operations.
    """
    glosses = [one for one in _glosses(text) if _is_told(one, reader.intent.clauses)]
    if not glosses:
        return reader.intent
    apart = reader.passing(frozenset(at for one in glosses for at in one)).intent
    again = [one for one in glosses if _says_again(one, apart, reader, text.lexicon, readings)]
    if not again:
        return reader.intent
    apart = reader.passing(frozenset(at for one in again for at in one)).intent
    return structs.replace(apart, clauses=reader.spelled(_adjoined(apart.clauses, again)))


def _glosses(text: SpelledRequest) -> Iterator[range]:
    """The tokens that stand in each pair of brackets."""
    for found in _BRACKETS.finditer(text.request):
        inside = text.between(found.start(), found.end())
        if inside:
            yield inside


def _is_told(gloss: range, clauses: Sequence[ReadClause]) -> bool:
    return any(one.outcome == "told" and one.first < gloss.stop and gloss.start < one.last for one in clauses)


def _says_again(
    gloss: range, apart: Intent, reader: RequestReader, lexicon: Lexicon, readings: Mapping[str, SlotReading]
) -> bool:
    """Whether a gloss, read by itself, asks for nothing but what the clause before it asks for."""
    owner = _done_before(gloss, apart.clauses)
    asked = {type(task.operation) for task in apart.tasks if owner is not None and owner.number in task.clauses}
    words = reader.tokens[gloss.start : gloss.stop]
    return bool(asked) and any(kinds and kinds <= asked for kinds in _kinds(words, lexicon, readings))


def _kinds(
    words: Sequence[str], lexicon: Lexicon, readings: Mapping[str, SlotReading]
) -> Iterator[set[type]]:
    """What words ask for by themselves, by each way in which they may be meant: as an order, as how it is done, and as
    the name of a technique."""
    again = lexicon.words.again
    leading = phrase_set(again.glossing)
    while words and (length := leading.length(words, 0)):
        words = words[length:]
    technique = lexicon.standing.techniques.longest_at(words, 0) if words else None
    if technique is not None and technique[0] == len(words) and technique[1].order:
        yield {type(task.operation) for task in ordered(technique[1].order, lexicon, readings)}
    for lead in ("", *again.glossed):
        text = SpelledRequest(f"{lead} {' '.join(words)}".strip(), lexicon)
        found = RequestReader(text, readings, has_music=True).intent
        if words and all(one.outcome == "understood" for one in found.clauses):
            yield {type(task.operation) for task in found.tasks}


def _done_before(stretch: range, clauses: Sequence[ReadClause]) -> ReadClause | None:
    """The nearest clause that ends before the tokens of `stretch`; None if there is none or it was not understood."""
    before = [one for one in clauses if one.last <= stretch.start]
    last = max(before, key=lambda one: (one.last, one.outcome != "told"), default=None)
    return last if last is not None and last.outcome == "understood" else None


def _adjoined(clauses: Sequence[ReadClause], stretches: Sequence[range]) -> list[ReadClause]:
    """The clauses, with each of the `stretches` (token ranges) added to the understood clause before it, or if there is
    none to the one behind it: the words in brackets in "duck the pad (sidechain)"."""
    found = list(clauses)
    for stretch in stretches:
        before = _done_before(stretch, found)
        if before is not None:
            found[found.index(before)] = structs.replace(before, last=stretch.stop)
            continue
        behind = min((one for one in found if one.first >= stretch.stop), key=lambda one: one.first, default=None)
        if behind is not None and behind.outcome == "understood":
            found[found.index(behind)] = structs.replace(behind, first=stretch.start)
    return found

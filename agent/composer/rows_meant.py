"""Which rows of a plan that waits its person's words are about: left out, alone wanted, or wanted less or more.

Read word by word. A clause in which a word is strange is never carried out on rows: it is handed back to be read as a
request about the song that the plan would make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from agent.composer.refining_words import RefiningWords, without_measure
from agent.composer.tokens import tokens_of
from agent.plan.document import Plan
from agent.plan.plan import StepId

_LEAST = 3
"""Letters that two forms of a word share at least."""
PartAt = Callable[[Sequence[str], int], tuple[int, frozenset[StepId]]]
"""The number of tokens from an index on that name a part of the song (0 for none), and the rows about it."""
_Kind = Literal["leave", "unchanged", "holding", "only", "agreed", "filler"]


class RowsMeant(Struct, frozen=True):
    """What a remark says about the rows of a plan: those to remove (`gone`), and the intensity of others (`degrees`, 1
    as planned). `said` is the text of the clauses about rows, `rest` the other clauses."""

    gone: frozenset[StepId] = frozenset()
    degrees: Mapping[StepId, float] = field(default_factory=dict)
    said: str = ""
    rest: str = ""


def rows_meant(
    words: str, plan: Plan, keys: Mapping[StepId, str], language: RefiningWords, part_at: PartAt
) -> RowsMeant | None:
    """What the remark says about the rows of the plan; None if it is not about rows.

    `keys` has the key of the object that each row changes, `part_at` finds the rows about a part by what it is called.
    """
    reading = _Reading(plan, keys, language, part_at)
    gone: set[StepId] = set()
    only: set[StepId] = set()
    degrees: dict[StepId, float] = {}
    rest: list[str] = []
    said: list[str] = []
    agreed: set[StepId] = set()
    agrees = False
    before: set[StepId] = set()
    named: set[StepId] = set()
    every = [step.id for step in plan.steps]
    for clause in _clauses(words, language):
        read = reading.clause(_joined(clause, language))
        if read is None or (read.said == "gone" and not (read.rows or before)):
            rest.append(" ".join(clause))
            continue
        said.append(" ".join(clause))
        if read.said == "gone" and not read.rows and reading.is_rest(clause):
            # "the strings yes, the rest no": what was named stays, and all else goes
            read = replace(read, rows=set(every) - named)
        read = read if read.rows or read.said == "agreed" else replace(read, rows=before)
        named |= read.rows
        before = read.rows or before
        gone |= read.rows if read.said == "gone" else set()
        only |= read.rows if read.said == "only" else set()
        agreed |= read.rows if read.said == "agreed" else set()
        agrees |= read.agrees
        if read.degree is not None:
            degrees.update(dict.fromkeys(read.rows or every, read.degree))
    if only:
        gone |= set(every) - only - agreed
    if not (gone or degrees or agrees):
        return None
    return RowsMeant(frozenset(gone), degrees, ", ".join(said), ", ".join(rest))


class _Clause(Struct, frozen=True):
    said: str
    rows: set[StepId]
    degree: float | None = None
    agrees: bool = False
    """Whether a word of it agrees to what is planned."""


def _clauses(words: str, language: RefiningWords) -> list[list[str]]:
    """The tokens of each clause, in small letters."""
    clauses: list[list[str]] = [[]]
    for token in tokens_of(words.casefold()):
        for part in language.contractions.get(token, token).split():
            if part in language.breaks:
                clauses.append([])
            else:
                clauses[-1].append(part)
    return [without_measure(clause, language) for clause in clauses if clause]


def _joined(clause: list[str], language: RefiningWords) -> list[str]:
    """A clause whose verb stands in one piece: "take the strings out" is "take out the strings"."""
    for phrase in language.leave:
        verb, _, particle = phrase.partition(" ")
        if particle and " " not in particle and clause[-1] == particle and verb in clause[:-2]:
            at = clause.index(verb)
            return [*clause[:at], verb, particle, *clause[at + 1 : -1]]
    return clause


class _Reading:
    def __init__(self, plan: Plan, keys: Mapping[StepId, str], language: RefiningWords, part_at: PartAt) -> None:
        self._part_at = part_at
        self._plan = plan
        self._keys = keys
        self._language = language
        self._phrases = _phrases(language)
        self._longest = max(len(phrase) for phrase in self._phrases)
        asked = {step.id: " ".join(one.text for one in plan.clauses if step.id in one.steps) for step in plan.steps}
        self._titles = {step.id: _words(step.title) for step in plan.steps}
        self._asked = {row: _words(text) for row, text in asked.items()}

    def clause(self, tokens: Sequence[str]) -> _Clause | None:
        """What a clause says of rows, None where a word of it is strange."""
        kinds: list[_Kind] = []
        rows: set[StepId] | None = None
        degree: float | None = None
        at = 0
        while at < len(tokens):
            named, length = self._rows_at(tokens, at)
            kind, long = self._phrase_at(tokens, at)
            if named and length >= long:
                rows = named if rows is None else (rows & named or rows | named)
                at += length
                continue
            if not long:
                return None
            if isinstance(kind, float):
                degree = kind
            elif kind is not None:
                kinds.append(kind)
            at += long
        return self._said(kinds, rows or set(), degree)

    def is_rest(self, tokens: Sequence[str]) -> bool:
        """Whether a clause is about the rows that were not named before it."""
        text = f" {' '.join(tokens)} "
        return any(f" {phrase} " in text for phrase in self._language.others)

    def _said(self, kinds: Sequence[_Kind], rows: set[StepId], degree: float | None) -> _Clause | None:
        if degree is not None:
            return _Clause("degree", rows, degree)
        limits = "only" in kinds
        leaves = "leave" in kinds or ("holding" in kinds and "unchanged" in kinds)
        if not rows:
            # "leave those" is about the rows that were named before it
            if leaves:
                return _Clause("gone", rows)
            return None if limits or "holding" in kinds else _Clause("agreed", rows, agrees="agreed" in kinds)
        if leaves:
            return _Clause("gone", rows)
        if limits:
            return _Clause("only", rows)
        return _Clause("agreed", rows, agrees=True) if "agreed" in kinds else None

    def _phrase_at(self, tokens: Sequence[str], at: int) -> tuple[_Kind | float | None, int]:
        for length in range(min(self._longest, len(tokens) - at), 0, -1):
            if (kind := self._phrases.get(tuple(tokens[at : at + length]))) is not None:
                return kind, length
        return None, 0

    def _rows_at(self, tokens: Sequence[str], at: int) -> tuple[set[StepId], int]:
        """The rows that tokens name: by number, by what they are about, or by a word of theirs."""
        counted = self._counted(tokens, at)
        if counted is not None:
            return counted
        for key, phrases in self._language.about.items():
            for phrase in sorted(phrases, key=len, reverse=True):
                length = len(phrase.split())
                if " ".join(tokens[at : at + length]) == phrase:
                    rows = {row for row, one in self._keys.items() if one == key}
                    if rows:
                        return rows, length
        token = tokens[at]
        if len(token) < _LEAST or (token,) in self._phrases:
            return set(), 0
        for texts in (self._titles, self._asked):
            rows = {row for row, words in texts.items() if any(_same(token, word) for word in words)}
            if rows:
                return rows, 1
        length, about = self._part_at(tokens, at)
        return (set(about), length) if about else (set(), 0)

    def _counted(self, tokens: Sequence[str], at: int) -> tuple[set[StepId], int] | None:
        """row 2, the first bit"""
        after = tokens[at + 1] if at + 1 < len(tokens) else ""
        steps = self._plan.steps
        if tokens[at] in self._language.counted and after.isdecimal() and 1 <= int(after[:4]) <= len(steps):
            return {steps[int(after[:4]) - 1].id}, 2
        nth = self._language.ordinals.get(tokens[at])
        if nth is None or after not in self._language.counted:
            return None
        asks = [set(ask.steps) for ask in self._plan.asks if ask.steps] or [{step.id} for step in steps]
        found = asks[-1] if nth < 0 else asks[nth - 1] if nth <= len(asks) else set()
        return (found, 2) if found else None


def _phrases(language: RefiningWords) -> dict[tuple[str, ...], _Kind | float]:
    found: dict[tuple[str, ...], _Kind | float] = {}
    kinds: tuple[tuple[_Kind, Sequence[str]], ...] = (
        ("filler", language.filler), ("agreed", language.agreed), ("unchanged", language.unchanged),
        ("holding", language.holding), ("only", language.only), ("leave", language.leave),
    )
    for kind, phrases in kinds:
        found.update({tuple(phrase.split()): kind for phrase in phrases})
    found.update({tuple(phrase.split()): degree for phrase, degree in language.degrees.items()})
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(token for token in tokens_of(text.casefold()) if len(token) >= _LEAST and token.isalpha())


def _same(one: str, other: str) -> bool:
    """Whether two words are forms of one: drum, drums; swing, swinging."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and len(long) - len(short) <= len(short)

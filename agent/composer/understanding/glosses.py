"""Glosses: what stands in brackets behind an order and says the same once more in another word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import structs

from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.adjoining import adjoined, done_before
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.request_reader import RequestReader
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.spelled_request import SpelledRequest
from agent.composer.understanding.techniques import ordered

_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")


def with_glosses(text: SpelledRequest, reader: RequestReader, readings: Mapping[str, SlotReading]) -> Intent:
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
    return structs.replace(apart, clauses=reader.spelled(adjoined(apart.clauses, again)))


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
    owner = done_before(gloss, apart.clauses)
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
    technique = lexicon.technique_at(words, 0) if words else None
    if technique is not None and technique[0] == len(words) and technique[1].order:
        yield {type(task.operation) for task in ordered(technique[1].order, lexicon, readings)}
    for lead in ("", *again.glossed):
        text = SpelledRequest(f"{lead} {' '.join(words)}".strip(), lexicon)
        found = RequestReader(text, readings, has_music=True).intent
        if words and all(one.outcome == "understood" for one in found.clauses):
            yield {type(task.operation) for task in found.tasks}

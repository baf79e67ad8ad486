"""A sentence cut where one of its clauses is of another kind than the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PAUSES

ADDING = ("and", "n", "&", ",", "plus", "also", "/")
"""Words after which a second question may follow."""
_JOINS = ("and", "then", ",", "but", "after", "so", "also", "plus")


def cuts(
    tokens: tuple[str, ...], joins: Collection[str] = _JOINS
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every (before, after) split of the tokens at a conjunction, which belongs to neither; `joins` are the
    conjunctions to split at."""
    for at, token in enumerate(tokens):
        if token in joins and 0 < at < len(tokens) - 1:
            end = at + 1
            while end < len(tokens) and tokens[end] in (*_JOINS, "that", "afterwards", "please"):
                end += 1
            if end < len(tokens):
                yield tokens[:at], tokens[end:]


def split_at_pauses(tokens: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The token runs between commas, without empty ones."""
    part: list[str] = []
    for token in (*tokens, PAUSES[0]):
        if token not in PAUSES:
            part.append(token)
        elif part:
            yield tuple(part)
            part = []


def order_after_question(tokens: tuple[str, ...], language: Language) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """(question, order) of a sentence with a question and an order after it ("what key is this in and make it higher");
    None for any other."""
    for question, order in cuts(tokens):
        if len(question) > 2 and len(order) > 1 and language.shape["doing"].at(order) and order[0] not in _NO_ORDER:
            return question, order
    return None


_NO_ORDER = (
    "only", "no", "without", "with", "more", "less", "do", "have", "end", "start", "play", "begin", "go", "stop"
)
"""Words that go on with a question as easily."""

"""Halves: the questions of which one sentence is made, "total running time, and is the tempo constant throughout?"."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from agent.chat.reading.intents import ASIDE, COMMAND, HOW, NONE, SONG, TALK, WISH, IntentReader
from agent.chat.reading.language import Language
from agent.chat.reading.lookup import Lookup
from agent.chat.reading.naming import names_in
from agent.chat.reading.phrases import PAUSES, without_leading
from agent.chat.reading.sentences import Sentence, said

_ADDING = ("and", "n", "&", "plus", "also", "but", *PAUSES)
_OR = "or"
_MOST = 3
"""Questions that one sentence is cut into at most."""
_LEAST = 2
"""Tokens of the shortest half."""
_OF_RANGE = frozenset(f"{SONG}{topic}" for topic in ("lowest", "highest", "range", "difficulty"))
"""Intents that one alternative asks of twice: can I play it, or does it go too low?"""
_TAG = 3
"""Tokens of the longest "did you not?"."""
_ASKED, _FAR = 0.34, 0.36
"""How like a question each half must be; the second where one of them is not about the song."""


class Halves(Struct, frozen=True):
    """Cuts a sentence where each half is a question of its own by the examples, and asks something else."""

    _lookup: Lookup
    _language: Language
    _intents: IntentReader

    def of(self, sentence: Sentence) -> tuple[Sentence, ...]:
        """The questions of a sentence, in their order; the sentence alone where it is one, or none."""
        return tuple(self._cut(sentence, _MOST))

    def _cut(self, sentence: Sentence, most: int) -> Iterator[Sentence]:
        found = next(self._pairs(sentence), None) if most > 1 else None
        if found is None:
            yield sentence
            return
        before, after = found
        yield before
        yield from self._cut(after, most - 1)

    def _pairs(self, sentence: Sentence) -> Iterator[tuple[Sentence, Sentence]]:
        """Every way to cut it into one question and what follows."""
        tokens = sentence.tokens
        if not self._begins(tokens) and (not sentence.asked or self._language.shape["indefinite"].at(tokens)):
            return
        for at, token in enumerate(tokens):
            if token not in _ADDING and token != _OR:
                continue
            end = at + 1
            while end < len(tokens) and (tokens[end] in _ADDING or tokens[end] in ("then", "so")):
                end += 1
            before, after = tokens[:at], tokens[end:]
            if len(before) < _LEAST or len(after) < _LEAST or before[-1] in (*_ADDING, _OR):
                continue
            if token == _OR and not self._begins(after):
                after = self._with_subject(before, after)
            if self._are_two(before, after, alternative=token == _OR):
                yield _part(before, sentence), _part(after, sentence)

    def _with_subject(self, before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
        """is it turned down or not playing much: the second half with what the first begins with."""
        shape = self._language.shape
        inverted = before[0] in shape["auxiliaries"] and before[1] in shape["pronouns"]
        return (*before[:2], *after) if inverted else after

    def _are_two(self, before: tuple[str, ...], after: tuple[str, ...], *, alternative: bool) -> bool:
        """Whether both ask, and not the same; of what is asked as an alternative, both of the song."""
        shape = self._language.shape
        tag = shape["tags"].at(after) == len(after) or after[-1] == "not" or after[-1] in shape["pronouns"]
        if not self._begins(after) or (tag and len(after) <= _TAG) or before[0] in shape["conditions"]:
            return False
        (one, sure), (other, surer) = self._asks(before), self._asks(after)
        if not one or not other or one == other or min(sure, surer) < _ASKED:
            return False
        if alternative and {one, other} <= _OF_RANGE:
            return False
        of_song = one.startswith(SONG) and other.startswith(SONG)
        return of_song or (not alternative and surer >= _FAR)

    def _asks(self, tokens: tuple[str, ...]) -> tuple[str, float]:
        """The intent of the question that the tokens are, "" where they are like none, and how like it they are."""
        scores = self._intents.scores(said(tokens), names_in(tokens, self._lookup))
        others = (COMMAND, HOW) if tokens[0] in self._language.shape["be"] else (COMMAND,)
        scores = {name: one for name, one in scores.items() if not name.startswith(others)}
        best = max(scores, key=lambda name: scores[name], default=WISH)
        return ("", 0.0) if best in (WISH, ASIDE, NONE) or best.startswith(TALK) else (best, scores[best])

    def _begins(self, tokens: tuple[str, ...]) -> bool:
        """Whether it begins as a question does: with a question word, a verb and its subject, or how it is told."""
        shape = self._language.shape
        plain = without_leading(without_leading(tokens, shape["openers"]), shape["adverbs"])
        if not plain:
            return False
        if plain[0] in shape["auxiliaries"]:
            return len(plain) > 1 and not shape["doing"].at(plain)
        return bool(shape["wh"].at(plain)) or plain[0] in shape["placing"] or bool(shape["tells"].at(plain))


def _part(tokens: tuple[str, ...], sentence: Sentence) -> Sentence:
    return Sentence(tokens, sentence.asked, said((*tokens, "?") if sentence.asked else tokens))

"""Whole sentences: those behind the stages of a new piece that are about all of it again."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.understanding.figures import Figures
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.stage_phrases import StagePhrases

_ENDS = frozenset(".;!?")
_ACTS = ("enters", "leaves", "everyone", "builds", "fades", "layered", "faster", "slower", "returns")


class WholeSentences:
    """Tells whether sentences after the stages of a piece are about the whole piece again."""

    def __init__(self, tokens: Sequence[str], spoken: Sequence[str], lexicon: Lexicon, book: StagePhrases) -> None:
        self._tokens = list(tokens)
        self._spoken = list(spoken)
        self._lexicon = lexicon
        self._book = book
        grammar = lexicon.words.grammar
        self._light = frozenset({
            *grammar.skip, *grammar.empty, *grammar.joins, *grammar.light, *lexicon.words.places.articles, ",", "in",
            "at", "key", "of", "tempo", "is", "it", "please",
        })

    def begins(self, at: int, end: int) -> bool:
        """Whether the sentence after the sign at token `at` is about the whole piece: it only states a key, tempo or
        length (". D minor"), or lists players. It is read up to token `end` (not included)."""
        first = at + 1
        last = next((k for k in range(first, end) if self._tokens[k] in _ENDS), end)
        return first < last and (self._only_figures(first, last) or self._lists_players(first, last))

    def ends_so(self, at: int, end: int, least: int) -> bool:
        """Whether only figures follow the comma at token `at`, at least `least` of them: ", 3/4, 24 bars, moderato". It
        is read up to token `end` (not included)."""
        first = at + 1
        last = next((k for k in range(first, end) if self._tokens[k] in _ENDS), end)
        return first < last and self._figures(first, last) >= least

    def _only_figures(self, first: int, last: int) -> bool:
        """Whether it says a key, a tempo or a length and nothing else: ". D minor"."""
        return self._figures(first, last) > 0

    def _figures(self, first: int, last: int) -> int:
        """How many figures stand between two tokens; 0 where anything else does."""
        figures = Figures(self._spoken[:last], self._tokens[:last], self._lexicon)
        found, at = 0, first
        while at < last:
            taken = figures.take(at)
            pace = self._lexicon.sense(self._tokens, at, "tempo")
            setting = self._lexicon.standing.settings.longest_at(self._tokens, at)
            said = pace[0] if pace is not None else setting[0] if setting is not None else 0
            if not (taken or said) and self._tokens[at] not in self._light:
                return 0
            found += bool(taken)
            at += max(1, taken or said)
        return found

    def _lists_players(self, first: int, last: int) -> bool:
        """Whether it only lists who plays, behind a sentence that names the players of its stages."""
        stage = next((k for k in range(first - 2, -1, -1) if self._tokens[k] in _ENDS), -1) + 1
        at = first - 1
        named = [k for k in range(first, last) if self._lexicon.wish_at(self._tokens, k) is not None]
        own = any(self._lexicon.wish_at(self._tokens, k) is not None for k in range(stage, at))
        told = ("everyone", "returns")
        own = own or any(self._book.length(name, self._tokens, k) for name in told for k in range(stage, at))
        acts = any(self._book.length(name, self._tokens, k) for name in _ACTS for k in range(first, last))
        listed = "," in self._tokens[first:last] or any(
            word in self._lexicon.words.grammar.joins for word in self._tokens[first:last]
        )
        return len(named) > 1 and named[0] <= first + 1 and own and listed and not acts

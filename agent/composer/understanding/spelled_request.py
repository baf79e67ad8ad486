"""The text of a request: its tokens with their places, spelled as they are meant, made once for every reader of it."""

from __future__ import annotations

import re
from functools import cached_property

from agent.composer.tokens import Token
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.names import Names
from agent.composer.understanding.plain_words import plain
from agent.composer.understanding.spelling import respelled
from agent.composer.understanding.written_chords import WrittenChords

MAX_TOKENS = 6_000
_CLOSING = {
    ")": "(", "]": "[", '"': '"', "\N{RIGHT DOUBLE QUOTATION MARK}": "\N{LEFT DOUBLE QUOTATION MARK}",
    "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}": "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}",
}
"""Signs that close, and those that open for them."""
_QUOTED = re.compile(r"(?:called|named|titled|name it|call it)\s+[\"“']([^\"”']{1,80})[\"”']", re.IGNORECASE)


class SpelledRequest:
    """A request's tokens with colloquial spellings and misspellings resolved, shared by all its readers."""

    def __init__(self, request: str, lexicon: Lexicon) -> None:
        self.request = request
        self.lexicon = lexicon
        title = _QUOTED.search(request)
        self.title = title[1].strip() if title else ""
        """The quoted title for the piece; "" for none."""
        # a title is blanked out, so that places stay those of the request
        self.untitled = (
            request if title is None else request[: title.start()] + " " * len(title[0]) + request[title.end() :]
        )
        self.tokens: list[Token] = plain(self.untitled, lexicon)[:MAX_TOKENS]
        self.spoken, self.read_as = respelled([token.text for token in self.tokens], lexicon)
        """The texts of the tokens with misspellings corrected, and the corrections as (written, read)."""

    def between(self, start: int, end: int) -> range:
        """The range of the tokens that stand between two characters of the request, without signs around them; empty if
        no word does."""
        held = [at for at, one in enumerate(self.tokens) if start <= one.start and one.end <= end]
        told = [at for at in held if any(map(str.isalnum, self.tokens[at].text))]
        return range(told[0], told[-1] + 1) if told else range(0)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The (start, end) characters of the tokens `first` to `last` (not included), with brackets and quotation marks
        behind them that close what was opened in them."""
        start, end = self.tokens[first].start, self.tokens[last - 1].end
        while (sign := self.request[end : end + 1]) and sign in _CLOSING:
            opening, said = _CLOSING[sign], self.request[start:end]
            opened = said.count(sign) % 2 if sign == opening else said.count(opening) - said.count(sign)
            if opened <= 0:
                break
            end += 1
        return start, end

    @cached_property
    def names(self) -> Names:
        """Reads names of tracks, sections and files from the request."""
        return Names(self.request, self.tokens)

    @cached_property
    def written(self) -> WrittenChords:
        """Reads chords written down in the request."""
        return WrittenChords(self.untitled, self.tokens, self.lexicon)

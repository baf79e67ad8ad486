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

    @cached_property
    def names(self) -> Names:
        """Reads names of tracks, sections and files from the request."""
        return Names(self.request, self.tokens)

    @cached_property
    def written(self) -> WrittenChords:
        """Reads chords written down in the request."""
        return WrittenChords(self.untitled, self.tokens, self.lexicon)

"""The text of a request: its tokens with their places, spelled as they are meant, made once for every reader of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from functools import cached_property

from agent.composer.tokens import Token
from agent.composer.understanding.dictionary import dictionary
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.names import Names
from agent.composer.understanding.plain_words import plain
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
        self.spoken, self.read_as = _respelled([token.text for token in self.tokens], lexicon)
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


_NEAR = 0.85
_SHORTEST = 5
_SHORT = 4
"""Letters of a word that is only mended where one of a part, a section or a quality is missing."""
_MOST = 40
"""Unknown words that are looked up in one request."""


def _respelled(spoken: Sequence[str], lexicon: Lexicon) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """The tokens `spoken` with misspellings corrected, and the corrections as (written, read)."""
    known = lexicon.known
    strange = [word for word in dict.fromkeys(token.casefold() for token in spoken) if _strange(word, known)]
    existing = dictionary(lexicon.words.dictionary) if strange else frozenset()
    read = {
        word: near for word in [one for one in strange if one not in existing][:_MOST]
        if (near := _nearest(word, lexicon)) is not None and not _plural(word, near, lexicon)
    }
    tokens = [read.get(token.casefold(), token) for token in spoken]
    return tokens, tuple(read.items())


def _strange(word: str, known: Collection[str]) -> bool:
    return len(word) >= _SHORT and word.isalpha() and word not in known


def _plural(word: str, near: str, lexicon: Lexicon) -> bool:
    """Whether it is only the plural of a word that names no part: another word, and no slip."""
    return word == near + "s" and lexicon.wish_at([near], 0) is None


def _nearest(word: str, lexicon: Lexicon) -> str | None:
    """The known word that is meant: two letters swapped, one that sounds alike, else one too many, too few or wrong."""
    known = lexicon.known
    if len(word) < _SHORTEST:
        longer = lexicon.known_like(word[0], (len(word) + 1,))
        return next((other for other in longer if _lacks_one(word, other, lexicon)), None)
    swapped = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
    for other in (*swapped, *_alike(word, lexicon)):
        if other in known:
            return other
    near = lexicon.known_like(word[0], (len(word) - 1, len(word), len(word) + 1))
    return next(iter(get_close_matches(word, near, n=1, cutoff=_NEAR)), None)


def _lacks_one(word: str, other: str, lexicon: Lexicon) -> bool:
    near = len(other) == len(word) + 1 and other[0] == word[0] and lexicon.names_something(other)
    return near and any(other[:at] + other[at + 1 :] == word for at in range(1, len(other)))


def _alike(word: str, lexicon: Lexicon) -> list[str]:
    """The word with one letter as another that sounds like it."""
    typing = lexicon.words.typing
    pairs = typing.alike if typing is not None else ()
    both = [(pair[0], pair[1]) for pair in (*pairs, *(pair[::-1] for pair in pairs))]
    return [
        word[:at] + other + word[at + 1 :] for at, letter in enumerate(word) for one, other in both if letter == one
    ]

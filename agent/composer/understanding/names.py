"""Names: what somebody calls a track, a section or the song, as it is written and not as it is read."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.tokens import Token
from agent.composer.understanding.items import Item

_QUOTES = {'"': '"', "\N{LEFT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}", "'": "'", "`": "`",
           "\N{LEFT SINGLE QUOTATION MARK}": "\N{RIGHT SINGLE QUOTATION MARK}", "\N{DOUBLE LOW-9 QUOTATION MARK}":
           "\N{LEFT DOUBLE QUOTATION MARK}", "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}":
           "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}"}
_LONGEST, _WORDS = 80, 5
_FILES = (".sf2", ".sf3")
_PARTED = ("comma", "stop", "break")


class Names(Struct, frozen=True):
    """Reads names from a request in their original spelling; `tokens` are those of its `text`."""

    text: str
    tokens: Sequence[Token]

    def at(self, items: Sequence[Item], at: int) -> tuple[int, str] | None:
        """(end, name) of a name at an item: quoted, capitalised, or else all words up to the next sign; None for
        none."""
        if at >= len(items) or items[at].kind in _PARTED:
            return None
        first = items[at].first
        ahead = [k for k in range(first, min(first + _WORDS, len(self.tokens))) if self._opened(k)]
        if ahead and not self._begins(first):
            return self._quoted(items, at, ahead[0])
        if items[at].kind == "place" and items[at].last > first + 1 and not self._begins(first):
            # "to Drop" was read as a place; its first word is no name
            first += 1
        return self._quoted(items, at, first) or self._plain(items, at, first)

    def file_at(self, items: Sequence[Item], at: int) -> tuple[int, str] | None:
        """(end, name) of a SoundFont file name at an item; one with spaces must be quoted. None for none."""
        if at >= len(items) or items[at].kind in _PARTED:
            return None
        quoted = self._quoted(items, at, items[at].first)
        found = quoted or (at + 1, self.text[self.tokens[items[at].first].start : self.tokens[items[at].first].end])
        return found if found[1].casefold().endswith(_FILES) else None

    @property
    def bracketed(self) -> frozenset[int]:
        """Indices of the tokens right after an opening bracket."""
        return frozenset(
            number for number, token in enumerate(self.tokens) if token.start and self.text[token.start - 1] == "("
        )

    def _opened(self, token: int) -> bool:
        start = self.tokens[token].start
        return start > 0 and self.text[start - 1] in _QUOTES

    def _begins(self, token: int) -> bool:
        start = self.tokens[token].start
        return self.text[start : start + 1].isupper() or self._opened(token)

    def _quoted(self, items: Sequence[Item], at: int, first: int) -> tuple[int, str] | None:
        start = self.tokens[first].start
        closing = _QUOTES.get(self.text[start - 1 : start]) if start else None
        close = self.text.find(closing, start) if closing is not None else -1
        if not 0 < close - start <= _LONGEST:
            return None
        end = at
        while end < len(items) and self.tokens[items[end].first].start < close:
            end += 1
        return end, self.text[start:close].strip()

    def _plain(self, items: Sequence[Item], at: int, first: int) -> tuple[int, str] | None:
        capital = self._begins(first)
        end, last = at, first
        while end < len(items) and items[end].kind not in _PARTED and last - first < _WORDS:
            written = [self.text[self.tokens[k].start : self.tokens[k].end] for k in range(last, items[end].last)]
            if capital and any(word[:1].islower() for word in written):
                break
            end, last = end + 1, items[end].last
        if last == first:
            return None
        return end, self.text[self.tokens[first].start : self.tokens[last - 1].end].strip(" &/")

"""Following the outline of an answer while its text arrives: where its fields and rows begin and end."""

from __future__ import annotations

import re

from msgspec import Struct

ROW_LISTS = frozenset({"steps", "actions", "operations", "rows"})
"""Field names under which an answer may list its rows."""

_BEGIN = re.compile(r'\{(?=\s{0,40}(?:["\']|[A-Za-z_]{1,40}\s{0,9}:))|\[(?=\s{0,40}\{)')
_AT_EDGE = re.compile(r"[\{\[]\s{0,40}[A-Za-z_]{0,40}\s{0,9}\Z")
_MARK = re.compile(r'["{}\[\],:]')
_IN_TEXT = re.compile(r'["\\]')
_LONGEST_NAME = 64
_LONGEST_EDGE = 100
_DEEPEST = 500


class Span(Struct):
    """A part of the text, from `start` to `end` (not included; None while it is open). `name` is a field's name."""

    start: int
    end: int | None = None
    name: str = ""


class _Frame(Struct):
    """An open object or list."""

    bracket: str
    start: int
    name: str = ""
    """The name of the field that it is the value of."""
    field: str | None = None
    """In an object: the field that is being read."""
    rows: bool = False


class AnswerScanner:
    """Tracks the outline of a streamed JSON answer: where fields and rows begin and end. The cost of all pieces
    together is linear.

    It knows only brackets and strings: a text that is no JSON gives a meaningless outline, never an error. `root` is
    the value that holds the rows, or the first value as long as none does; `row_list` is the list of rows, None until
    it begins.
    """

    def __init__(self) -> None:
        self.root: Span | None = None
        self.fields: list[Span] = []
        """The fields of the root object, from the name to the end of the value."""
        self.rows: list[Span] = []
        """The rows; the last may be open."""
        self.row_list: Span | None = None
        self._position = 0
        self._base = 0
        self._edge = ""
        self._frames: list[_Frame] = []
        self._in_text = False
        self._skip = False
        self._text_start = 0
        self._name: list[str] = []
        self._last_name = ""
        self._done = False

    @property
    def whole(self) -> bool:
        """Whether the root value is complete."""
        return self.root is not None and self.root.end is not None

    @property
    def in_text(self) -> bool:
        """Whether the text so far ends within a string."""
        return self._in_text

    @property
    def depth(self) -> int:
        """The number of open objects and lists."""
        return len(self._frames)

    def feed(self, piece: str) -> list[Span]:
        """Add a piece of text and return the spans of the rows that it completed."""
        known = len(self.rows) - (1 if self.rows and self.rows[-1].end is None else 0)
        text, self._edge = self._edge + piece, ""
        self._base = self._position - (len(text) - len(piece))
        self._position += len(piece)
        place = 0
        while place < len(text) and not self._done:
            place = self._inside(text, place) if self._frames else self._outside(text, place)
        return [row for row in self.rows[known:] if row.end is not None]

    def _outside(self, text: str, place: int) -> int:
        """Look for where the JSON begins; a bracket at the piece's edge is looked at again with the next piece."""
        found = _BEGIN.search(text, place)
        if found is None:
            edge = _AT_EDGE.search(text, max(place, len(text) - _LONGEST_EDGE))
            self._edge = text[edge.start():] if edge is not None else ""
            return len(text)
        start = self._base + found.start()
        if not self.rows:
            self.root, self.fields, self.row_list = Span(start), [], None
        self._open(found.group(), start)
        return found.end()

    def _inside(self, piece: str, place: int) -> int:
        if self._skip:
            self._skip = False
            return place + 1
        if self._in_text:
            return self._text(piece, place)
        found = _MARK.search(piece, place)
        if found is None:
            return len(piece)
        at = self._base + found.start()
        self._mark(found.group(), at)
        return found.end()

    def _text(self, piece: str, place: int) -> int:
        found = _IN_TEXT.search(piece, place)
        end = found.start() if found is not None else len(piece)
        if len(self._frames) <= 2 and len(self._name) < _LONGEST_NAME:
            self._name.append(piece[place:min(end, place + _LONGEST_NAME)])
        if found is None:
            return len(piece)
        if found.group() == "\\":
            self._skip = True
        else:
            self._in_text = False
            self._last_name = "".join(self._name)
        return found.end()

    def _mark(self, mark: str, at: int) -> None:
        match mark:
            case '"':
                self._in_text, self._text_start, self._name = True, at, []
            case "{" | "[":
                self._open(mark, at)
            case "}" | "]":
                self._close("{" if mark == "}" else "[", at + 1)
            case ":":
                self._named()
            case ",":
                self._next(at)

    def _named(self) -> None:
        top = self._frames[-1]
        if top.bracket == "{" and top.field is None:
            top.field = self._last_name
            if len(self._frames) == 1:
                self.fields.append(Span(self._text_start, None, self._last_name))

    def _next(self, at: int) -> None:
        top = self._frames[-1]
        top.field = None
        if len(self._frames) == 1 and self.fields and self.fields[-1].end is None:
            self.fields[-1].end = at

    def _open(self, bracket: str, at: int) -> None:
        parent = self._frames[-1] if self._frames else None
        name = (parent.field or "") if parent is not None else ""
        if parent is not None and parent.rows and bracket == "{":
            self.rows.append(Span(at))
        frame = _Frame(bracket, at, name)
        if bracket == "[" and self.row_list is None and self._lists_rows(name):
            frame.rows = True
            self.row_list = Span(at)
        self._frames.append(frame)
        self._done = len(self._frames) > _DEEPEST

    def _lists_rows(self, name: str) -> bool:
        depth = len(self._frames)
        return depth == 0 or (depth <= 2 and (name in ROW_LISTS or name == "plan"))

    def _close(self, bracket: str, end: int) -> None:
        # A closing bracket that fits no open one is passed over; one that fits an outer one closes the inner ones.
        if all(frame.bracket != bracket for frame in self._frames):
            return
        while self._frames:
            frame = self._frames.pop()
            self._closed(frame, end)
            if frame.bracket == bracket:
                break
        if not self._frames and self.root is not None:
            if self.row_list is not None or self.rows:
                self._done = True
            self.root.end = end

    def _closed(self, frame: _Frame, end: int) -> None:
        if frame.rows and self.row_list is not None:
            self.row_list.end = end
        parent = self._frames[-1] if self._frames else None
        if parent is not None and parent.rows and frame.bracket == "{" and self.rows:
            self.rows[-1].end = end
        if parent is None and self.fields and self.fields[-1].end is None:
            self.fields[-1].end = end - 1


def scanned(text: str) -> AnswerScanner:
    """A scanner that has been fed the whole text."""
    scanner = AnswerScanner()
    scanner.feed(text)
    return scanner

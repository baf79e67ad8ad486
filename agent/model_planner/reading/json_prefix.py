"""Whether a text can be the beginning of a JSON value, checked from any place where one was left off."""

from __future__ import annotations

import re

_GAP = re.compile(r"[ \t\n\r]*")
_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?(?=[\s,\]}])")
_WORD = re.compile(r"(?:true|false|null)(?=[\s,\]}])")
_OPEN_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z')
_OPEN_NUMBER = re.compile(r"-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?)?\Z")
_OPEN_WORDS = frozenset(word[:size] for word in ("true", "false", "null") for size in range(1, len(word) + 1))

_VALUE, _ITEM, _KEY, _NEXT_KEY, _COLON, _NEXT, _END = "value", "item", "key", "next key", "colon", "next", "end"


class JsonPrefix:
    """Checks token by token whether a text can be the beginning of a JSON value; a `copy` allows trying several
    continuations.

    Two equal names in one object count as an error: they show that parts were joined in the wrong place.
    """

    def __init__(self) -> None:
        self._stack: list[set[str] | None] = []
        self._wants = _VALUE

    def copy(self) -> JsonPrefix:
        """An independent copy of the state."""
        twin = JsonPrefix()
        twin._stack = [None if names is None else set(names) for names in self._stack]
        twin._wants = self._wants
        return twin

    @property
    def complete(self) -> bool:
        """Whether the value has ended."""
        return self._wants == _END

    def read(self, text: str, place: int = 0) -> tuple[int, bool]:
        """Read tokens of the text from index `place` on; returns (end, possible): where the last complete token ends,
        and whether what follows may still become a token. Stops at the end of the value."""
        while True:
            place = _skip_gap(text, place)
            if place >= len(text) or self._wants == _END:
                return place, True
            end = self._token(text, place)
            if end is None:
                return place, self._may_become(text, place)
            if end < 0:
                return place, False
            place = end

    def _token(self, text: str, place: int) -> int | None:
        """The end of the token at `place`; -1 where it cannot stand, None where no complete one is."""
        mark = text[place]
        if mark in "{}[]:,":
            return place + 1 if self._mark(mark) else -1
        if mark == '"':
            found = _TEXT.match(text, place)
            if found is None:
                return None
            return found.end() if self._text(found.group()) else -1
        found = _NUMBER.match(text, place) or _WORD.match(text, place)
        if found is None:
            return None
        return found.end() if self._value_ends() else -1

    def _mark(self, mark: str) -> bool:
        wants = self._wants
        if mark in "{[" and wants in (_VALUE, _ITEM):
            self._stack.append(set() if mark == "{" else None)
            self._wants = _KEY if mark == "{" else _ITEM
            return True
        if mark == ":" and wants == _COLON:
            self._wants = _VALUE
            return True
        if mark == "," and wants == _NEXT:
            self._wants = _VALUE if self._stack[-1] is None else _NEXT_KEY
            return True
        closes_object = mark == "}" and bool(self._stack) and self._stack[-1] is not None and wants in (_KEY, _NEXT)
        closes_list = mark == "]" and bool(self._stack) and self._stack[-1] is None and wants in (_ITEM, _NEXT)
        if closes_object or closes_list:
            self._stack.pop()
            self._wants = _NEXT if self._stack else _END
            return True
        return False

    def _text(self, raw: str) -> bool:
        if self._wants not in (_KEY, _NEXT_KEY):
            return self._value_ends()
        names = self._stack[-1]
        if names is None or raw in names:
            return False
        names.add(raw)
        self._wants = _COLON
        return True

    def _value_ends(self) -> bool:
        if self._wants not in (_VALUE, _ITEM):
            return False
        self._wants = _NEXT if self._stack else _END
        return True

    def _may_become(self, text: str, place: int) -> bool:
        if text[place] == '"':
            return self._wants in (_VALUE, _ITEM, _KEY, _NEXT_KEY) and _OPEN_TEXT.match(text, place) is not None
        if self._wants not in (_VALUE, _ITEM):
            return False
        rest = text[place:place + 400]
        return rest in _OPEN_WORDS or _OPEN_NUMBER.match(rest) is not None


def _skip_gap(text: str, place: int) -> int:
    found = _GAP.match(text, place)
    return found.end() if found is not None else place

"""Corrections: "128, not 130" is 128; what is denied is a figure of the same kind right beside the right one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.figures import Figures
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import is_figure, unit_at

_LONGEST = 5
"""Tokens of the longest figure: "B flat minor", "128 beats per minute"."""
_SIGNS = frozenset(",;.!?")
_TEMPO = "bpm"


class _Figure(Struct, frozen=True):
    """A figure, where it ends, and the unit that is said with it."""

    kind: str
    value: object
    end: int
    unit: str = ""


def rebuff_in(tokens: Sequence[str], lexicon: Lexicon) -> range:
    """The range of tokens at the head of a request that only say no to what was said before ("no, 120"), or that it was
    said ("I said 120"); empty for none."""
    length = phrase_set(lexicon.words.again.rebuffs).length(tokens, 0)
    parted = length and length + 1 < len(tokens) and tokens[length] in _SIGNS
    if parted and tokens[length] == "." and is_figure(tokens[length + 1]):
        return range(0)  # "no. 5"
    said = phrase_set(lexicon.words.again.insisting).length(tokens, length + 1 if parted else 0)
    return range((length + 1 if parted else 0) + said)


def corrections_in(spoken: Sequence[str], tokens: Sequence[str], lexicon: Lexicon) -> list[range]:
    """The ranges of tokens that only say which figure is wrong: "not 130" in "at 128, not 130". `tokens` are the
    `spoken` ones casefolded."""
    again = lexicon.words.again
    denying, contrasting = phrase_set(again.correcting), phrase_set(again.contrasting)
    if not any(denying.begins(token) for token in tokens):
        return []
    reading = _Reading(Figures([*spoken], [*tokens], lexicon), tokens, lexicon)
    found: list[range] = []
    for at in range(len(tokens)):
        length = denying.length(tokens, at)
        wrong = reading.at(at + length) if length else None
        if wrong is None or (found and at < found[-1].stop):
            continue
        behind = wrong.end + (tokens[wrong.end : wrong.end + 1] == [","])
        behind += contrasting.length(tokens, behind)
        right = reading.ending(at - (tokens[at - 1 : at] == [","]))
        if right is not None and reading.corrects(right, wrong) and reading.ends(wrong.end):
            found.append(range(at, wrong.end))
        elif behind > wrong.end and (right := reading.at(behind)) is not None and reading.corrects(right, wrong):
            found.append(range(at, behind))
    return found


class _Reading(Struct, frozen=True):
    _figures: Figures
    _tokens: Sequence[str]
    _lexicon: Lexicon

    def at(self, at: int) -> _Figure | None:
        """The key, meter or number at a token, a number with its unit."""
        if at >= len(self._tokens):
            return None
        if (key := self._figures.key_at(at)) is not None:
            return _Figure("key", key[1], at + key[0])
        if not is_figure(self._tokens[at]):
            return None
        lower = self._tokens[at + 1 : at + 3]
        if len(lower) > 1 and lower[0] == "/" and lower[1].isdecimal():
            return _Figure("meter", (self._tokens[at], lower[1]), at + 3)
        unit = unit_at(self._tokens, at + 1, self._lexicon)
        end = at + 1 + (unit[0] if unit is not None else 0)
        return _Figure("number", float(self._tokens[at].replace(",", ".")), end, unit[1] if unit is not None else "")

    def ending(self, end: int) -> _Figure | None:
        """The longest figure that ends before a token."""
        found = (self.at(at) for at in range(max(0, end - _LONGEST), end))
        return next((one for one in found if one is not None and one.end == end), None)

    def corrects(self, right: _Figure, wrong: _Figure) -> bool:
        """Whether one figure can stand for the other: of the same kind and unit, and of bare numbers no bars."""
        if right.kind != wrong.kind or right.value == wrong.value or wrong.unit not in ("", right.unit, _TEMPO):
            return False
        song = self._lexicon.song
        bare = right.kind == "number" and not (right.unit or wrong.unit)
        return not (bare and wrong.value == song.bars and wrong.value != song.bpm)

    def ends(self, at: int) -> bool:
        """Whether nothing that the figure before it counts stands at a token."""
        grammar = self._lexicon.words.grammar
        return at >= len(self._tokens) or self._tokens[at] in {*_SIGNS, *grammar.joins, *grammar.empty, *grammar.skip}

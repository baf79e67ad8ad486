"""Clocks: times as m:ss that say when something happens in a new piece, and not how long all of it lasts."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.mark_joining import StageMark
from agent.composer.understanding.numbers import seconds_at, unit_at

_SPAN = 3
"""Tokens of a clock: minutes, a colon, seconds."""
_SIGNS = frozenset(",.;!?()")
_RANGING = frozenset(("-", "\N{EN DASH}", "\N{EM DASH}", "to", "until", "till"))
_LEADING = frozenset(("at", "from", "by", "until", "till", "around", "before", "after", "since"))
_LASTING = frozenset(("long", "of", "in", "total"))
"""Behind a clock they say that it is a length."""
_LONGEST = 6
"""Most tokens of a time."""
_INTO = (("in",), ("into", "it"), ("mark",))
"""Behind a time they say that it is a moment."""


class Moment(Struct, frozen=True):
    """A time of the piece named by the tokens up to `end` (not included): `begin` and, for a range, `until`, in
    seconds."""

    end: int
    begin: float
    until: float | None = None


def moment_at(tokens: Sequence[str], at: int, lexicon: Lexicon) -> Moment | None:
    """The time written as m:ss at a token, if it says when something happens: in a range, after "at", or at the start
    of a clause beside other times. None otherwise."""
    begin = _clock(tokens, at, lexicon)
    if begin is None:
        return None
    behind = at + _SPAN
    until = _clock(tokens, behind + 1, lexicon) if behind < len(tokens) and tokens[behind] in _RANGING else None
    if until is not None and until > begin:
        return Moment(behind + 1 + _SPAN, begin, until)
    before = tokens[at - 1] if at else ""
    if before in _LEADING:
        return Moment(behind, begin)
    following = tokens[behind] if behind < len(tokens) else ""
    unit = unit_at(tokens, behind, lexicon)
    if (at == 0 and begin > 0) or before not in _SIGNS | {""} or following in _LASTING or unit is not None:
        return None
    goes_on = following.isalpha() or following in (*_RANGING, ":", "=")
    beside = any(_clock(tokens, k, lexicon) is not None for k in range(len(tokens)) if abs(k - at) >= _SPAN)
    return Moment(behind, begin) if goes_on and beside else None


def clock_mark(tokens: Sequence[str], at: int, lexicon: Lexicon) -> StageMark | None:
    """The mark of a stage that begins at a time ("0:30 strings creep in", "from 1:00 to 1:30 the band"); None for
    none."""
    lead = at < len(tokens) and tokens[at] in ("at", "from")
    said = moment_at(tokens, at + lead, lexicon)
    led = at > 0 and tokens[at - 1] in _LEADING - {"at", "from"}
    if said is None or (lead and said.until is None) or (led and not lead):
        return None
    end = said.end + (said.end < len(tokens) and tokens[said.end] in (*_RANGING, ":", "="))
    lasts = said.until - said.begin if said.until is not None else 0.0
    return StageMark("moment" if said.begin else "opening", at, end, seconds=lasts, from_seconds=said.begin)


def awaited_mark(tokens: Sequence[str], at: int, lexicon: Lexicon) -> StageMark | None:
    """The mark of a stage in which a part enters that is excluded until then ("no drums until 0:30"); None for none."""
    if at == 0 or tokens[at] not in lexicon.words.places.before:
        return None
    near = at + 1 + (at + 1 < len(tokens) and tokens[at + 1] in lexicon.words.lengths.rough)
    said = seconds_at(tokens[near : near + _LONGEST], 0, lexicon)
    begin = at
    while begin and tokens[begin - 1] not in _SIGNS and tokens[begin] not in lexicon.words.bindings.refuse:
        begin -= 1
    named = any(lexicon.wish_at(tokens, k) is not None for k in range(begin, at))
    # "drums not before 0:15"
    refused = tokens[begin] in lexicon.words.bindings.refuse or tokens[at - 1] in lexicon.words.bindings.inverse
    if said is None or said[1] <= 0 or not (named and refused):
        return None
    end = near + said[0]
    end += next((len(one) for one in _INTO if tuple(tokens[end : end + len(one)]) == one), 0)
    return StageMark("moment", at, end, from_seconds=said[1], before=at - begin, awaited=True)


def _clock(tokens: Sequence[str], at: int, lexicon: Lexicon) -> float | None:
    """The seconds of m:ss; None where none begins, as in "at 174: 16 bars"."""
    said = tokens[at : at + _SPAN] if at >= 0 else ()
    if len(said) < _SPAN or said[1] != ":" or not (said[0].isdecimal() and said[2].isdecimal()):
        return None
    unit = unit_at(tokens, at + _SPAN, lexicon)
    if len(said[0]) > 2 or len(said[2]) != 2 or (unit is not None and unit[1] in ("bars", "bpm")):
        return None
    return float(said[0]) * 60 + float(said[2])

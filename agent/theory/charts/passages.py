"""Passages: where in a text chords are written down, as rows of them, with bar lines, or as a pasted chart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct

from agent.theory.charts.counts import TIMES, count_of, named
from agent.theory.charts.lines import Cells, ChartFact, Heading, Lyrics, is_heading, lines_of, with_bar_lines
from agent.theory.charts.notation import is_no_chord
from agent.theory.charts.rows import ChordRow, rows_in

_LINE = re.compile(r"[^\n]+")
_BAR = re.compile(r":?\|[|:\]]*")
_NAME = re.compile(r"[A-Za-z][\w' ()×-]{0,40}")
_TIMES = re.compile(rf"\s*(?:{TIMES})", re.IGNORECASE)
_METER = r"[\[(]?(?:[0-9]{1,2}/(?:2|4|8|16))[\])]?"
_METERED = re.compile(rf"\s*(?:{_METER}\s*)?")
_METER_BEFORE = re.compile(rf"(?<![\w/])({_METER}):?\s+$")
"""A meter that stands before chords: [7/8] Am | F, 7/8: Am F."""
_SAID = re.compile(r"[a-z]{3,}:?")
"""A word, where it stands between bars and is no chord."""
IsSection = Callable[[str], bool]
"""Whether a text is the name of a section."""


class Passage(Struct, frozen=True):
    """Chords at the characters `start` to `end` (not included) of a message, as `text` for the chart reader.

    `sure` ones are chords in any context, others only after words such as "the chords". `form`: bar lines, sections or
    several lines say how long it is; otherwise it is a row of chords to be repeated. `few` is its number of chords.
    """

    start: int
    end: int
    text: str
    sure: bool
    form: bool
    few: int

    @property
    def headed(self) -> bool:
        """Whether it begins with the name of a section."""
        return isinstance(next(lines_of(self.text), None), Heading)


def passages(text: str, is_section: IsSection) -> list[Passage]:
    """The passages of a text, in order; a pasted chart of several lines is one."""
    text = with_bar_lines(text)
    told = list(_LINE.finditer(text))
    # a line alone is no pasted chart, whatever it is
    kinds = [_kind(found[0], is_section) if len(told) > 1 else "" for found in told]
    lines = [_Line(found.start(), found[0], kind) for found, kind in zip(told, kinds, strict=True)]
    found: list[Passage] = []
    at = 0
    while at < len(lines):
        end = _block(lines, at)
        if end - at > 1:
            found.append(_pasted(lines[at:end], text))
        else:
            end = at + 1
            found += _inline(lines[at])
        at = end
    return found


class _Line(Struct, frozen=True):
    """A line of a text, where it begins, and whether it is of a chart: its chords, a heading or a fact; else empty."""

    start: int
    text: str
    kind: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def _kind(text: str, is_section: IsSection) -> str:
    bare = text.strip()
    read = list(lines_of(text))
    if not bare or not read:
        return "fact" if bare.startswith("{") and bare.endswith("}") else "blank"
    first = read[0]
    if isinstance(first, Cells) and all(kind in ("times", "lasts") for kind, _ in first.cells):
        return "chords"
    if isinstance(first, Cells) and first.cells[0][0] == "ending":
        return "chords"
    if isinstance(first, ChartFact):
        return "fact" if bare.startswith("{") or first.kind == "form" or ":" in bare or "=" in bare else ""
    if isinstance(first, Lyrics):
        return "chords" if all(_is_row(one) for one in first.chords) else ""
    if isinstance(first, Heading):
        named = bare[0] in "[{" or is_heading(first.name) or is_section(_unnumbered(first.name))
        last = read[-1]
        rest = last.text if isinstance(last, Cells) else ""
        if not named:
            return ""
        if isinstance(last, Cells) and all(count_of(piece) is not None for _, piece in last.cells):
            return "heading"
        return "heading" if not rest else "chords" if _whole(rest) else ""
    if is_section(_unnumbered(bare)):
        return "heading"
    return "chords" if _whole(bare) else ""


def _unnumbered(name: str) -> str:
    words = named(name).name.replace("(", " ").split()
    while len(words) > 1 and words[-1].rstrip(")").isdigit():
        words.pop()
    return " ".join(words).casefold()


def _whole(text: str) -> bool:
    """Whether a line holds chords and nothing else."""
    found = _inline(_Line(0, text, ""))
    return len(found) == 1 and not text[: found[0].start].strip() and not text[found[0].end :].strip(" .,;")


def _is_row(text: str) -> bool:
    return bool(rows_in(text, 1))


def _block(lines: Sequence[_Line], first: int) -> int:
    """The line behind a pasted chart that begins with a line; the same line where none does."""
    last, chords = first, 0
    for at in range(first, len(lines)):
        kind = lines[at].kind
        sung = not kind and at > first and (
            (lines[at - 1].kind == "chords" and _goes_on(lines, at)) or (chords > 0 and _is_verse(lines, at))
        )
        if not (kind or sung) or (at == first and kind == "blank"):
            break
        chords += kind == "chords"
        closing = kind == "fact" and chords
        last = at + 1 if closing or kind == "heading" or (kind == "chords" and chords) else last
    many = sum(line.kind != "blank" for line in lines[first:last])
    return last if chords and many > 1 else first


def _is_verse(lines: Sequence[_Line], at: int) -> bool:
    """Whether words stand under a heading, with another heading or chords behind them: they go to what is known."""
    above = next((line.kind for line in reversed(lines[:at]) if line.kind), "")
    below = next((line.kind for line in lines[at + 1 :] if line.kind not in ("", "blank")), "")
    return above == "heading" and below in ("heading", "chords")


def _goes_on(lines: Sequence[_Line], at: int) -> bool:
    """Whether chords follow the words under a line of chords, which are sung then."""
    following = next((line.kind for line in lines[at + 1 :] if line.kind not in ("blank", "heading")), "")
    return following == "chords" and "|" not in lines[at - 1].text


def _pasted(lines: Sequence[_Line], text: str) -> Passage:
    start, end = lines[0].start, lines[-1].end
    few = sum(passage.few for line in lines for passage in _inline(line))
    return Passage(start, end, text[start:end], sure=True, form=True, few=few)


def _inline(line: _Line) -> list[Passage]:
    """The passages of one line: what stands between bar lines, else rows of chords."""
    bars = list(_BAR.finditer(line.text))
    if not bars:
        return [_row(row, line) for row in rows_in(line.text)]
    for left, right in pairwise(bars):
        if _is_said(line.text[left.end() : right.start()]):
            # "| A | G | then | D |": words between bars part two passages
            times = _TIMES.match(line.text, left.end())
            cut = times.end() if times is not None else left.end()
            first = _Line(line.start, line.text[:cut], "")
            return [*_inline(first), *_inline(_Line(line.start + cut, line.text[cut:], ""))]
    start, end = bars[0].start(), bars[-1].end()
    before = [row for row in rows_in(line.text[:start], 1) if _METERED.fullmatch(line.text[row.end : start])]
    after = [row for row in rows_in(line.text[end:], 1) if not line.text[end : end + row.start].strip()]
    start = before[-1].start if before else start
    start -= len(led[0]) if (led := _METER_BEFORE.search(line.text[:start])) is not None else 0
    end = end + after[0].end if after else end
    times = _TIMES.match(line.text, end)
    end = times.end() if times is not None else end
    inside = line.text[start:end]
    few = sum(len(row.texts) for row in rows_in(inside, 1)) or sum(map(is_no_chord, inside.replace("|", " ").split()))
    if not few:
        return []
    whole = Passage(line.start + start, line.start + end, inside, sure=True, form=True, few=few)
    # "Am F in the verse, C G | Am F in the chorus" has rows without bar lines beside those with some
    beside = (_Line(line.start, line.text[:start], ""), _Line(line.start + end, line.text[end:], ""))
    return [*_inline(beside[0]), whole, *_inline(beside[1])]


def _is_said(text: str) -> bool:
    """Whether what stands between two bar lines is words: one of letters only, and no chord among them."""
    words = text.split()
    return any(_SAID.fullmatch(word) for word in words) and not any(
        row.few and any(one[0].isupper() or one[-1].isdigit() for one in row.texts) for row in rows_in(text, 1)
    ) and not is_no_chord(text.strip()) and not any(rows_in(word, 1) for word in words if len(word) > 1)


def _row(row: ChordRow, line: _Line) -> Passage:
    led = _METER_BEFORE.search(line.text[: row.start])
    start, end = line.start + row.start - (len(led[0]) if led is not None else 0), line.start + row.end
    meter = f"{led[1]} " if led is not None else ""
    return Passage(start, end, meter + " ".join(row.texts), row.sure, form=row.has_lengths, few=row.few)

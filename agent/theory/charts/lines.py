"""The lines of a chart taken apart: what stands in front of the chords, and the chords with their bar lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_DIRECTIVE = re.compile(r"\{\s*([a-z_]{1,40})\s*(?::\s*([^{}]{0,200}))?\}", re.IGNORECASE)
_FACT = re.compile(
    r"(key|tone|time|meter|metre|tempo|bpm|title|t|capo|form|order|structure)\s*[:=]\s*(\S.{0,200})", re.IGNORECASE
)
_HEADING = re.compile(r"\[([^\[\]|]{1,60})\]\s*(.*)")
_NAME = re.compile(r"[A-Za-z][\w' ()×\-]{0,60}")
_TIMES = re.compile(r"\(?\s*(?:[x×]\s*([0-9]{1,2})|([0-9]{1,2})\s*[x×]|(twice)|(thrice))\s*\)?", re.IGNORECASE)
_INLINE = re.compile(r"\[([^\[\]]{1,24})\]")
_CELL = re.compile(
    r"(?P<sign>:?\|+:|:\|+|\|+\]?|\[\|)"
    r"|(?P<times>\(?[x×]\s?[0-9]{1,2}\)?(?=[\s,;]|$)|\b[0-9]{1,2}[x×](?=[\s,;]|$)|\b(?:twice|thrice)\b)"
    r"|(?P<meter>\(?[0-9]{1,2}/(?:1|2|4|8|16)\)?(?=\s|\||$))|(?P<ending>\[[12345](?:\.|(?=\s))|[12345]\.(?=\s|[A-H\[]))|(?P<text>[^\s|,;]+)"
)
_OPENS = {
    "chorus": "Chorus",
    "soc": "Chorus", "sov": "Verse", "sob": "Bridge", "start_of_chorus": "Chorus", "start_of_verse": "Verse",
    "start_of_bridge": "Bridge",
}
_FACTS = {
    "t": "title", "title": "title", "key": "key", "tone": "key", "time": "meter", "meter": "meter", "metre": "meter",
    "tempo": "tempo", "bpm": "tempo", "form": "form", "order": "form", "structure": "form", "capo": "capo",
}
_SECTIONS = (
    "intro", "verse", "pre-chorus", "prechorus", "chorus", "refrain", "hook", "bridge", "middle eight", "interlude",
    "solo", "outro", "coda", "ending", "tag", "vamp", "head", "turnaround", "breakdown", "instrumental", "vs", "ch",
)
_ALONE = re.compile(rf"((?:{'|'.join(_SECTIONS)})(?: [0-9])?)(?:\s{{2,10}}(\S.*)|\s?(\|.*))?", re.IGNORECASE)
"""The name of a section on a line of its own, or with room behind it before its chords."""
_LETTER = re.compile(r"([A-D][0-9']?)\s{1,20}\|")
_JOINS = frozenset({"-", "–", "—", "→", ">", "->", "~"})


@dataclass(frozen=True)
class Fact:
    """Something said of the song: key, meter, tempo, title, form or capo."""

    kind: str
    text: str


@dataclass(frozen=True)
class Heading:
    """The name of the section that begins here, and how often it is played."""

    name: str
    times: int = 1


@dataclass(frozen=True)
class Cells:
    """A line of chords: its pieces in order, each with its kind (sign, times, meter, ending, text)."""

    cells: tuple[tuple[str, str], ...]
    text: str


@dataclass(frozen=True)
class Lyrics:
    """A line of words with chords in brackets within it."""

    chords: tuple[str, ...]


Line = Fact | Heading | Cells | Lyrics


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a chart, empty ones and comments left out."""
    for line in _lettered(text.splitlines()):
        bare = line.strip()
        if bare and not bare.startswith("#"):
            yield from _line(bare)


def _lettered(lines: list[str]) -> list[str]:
    """The lines, with a colon behind the letters of a form that stand before the bars of every line: A |, B |."""
    found = [_LETTER.match(line.strip()) for line in lines if "|" in line]
    letters = {one[1][0] for one in found if one is not None}
    if not all(found) or not {"A", "B"} <= letters:
        return lines
    return [line.replace("|", ": |", 1) if "|" in line else line for line in lines]


def _line(line: str) -> Iterator[Line]:
    directive = _DIRECTIVE.fullmatch(line)
    if directive is not None:
        yield from _directed(directive[1].lower(), (directive[2] or "").strip())
        return
    fact = _FACT.fullmatch(line)
    if fact is not None:
        yield Fact(_FACTS[fact[1].lower()], fact[2].strip())
        return
    alone = _ALONE.fullmatch(line)
    if alone is not None:
        yield Heading(alone[1])
        rest = (alone[2] or alone[3] or "").strip()
        if rest:
            yield Cells(cells_of(rest), rest)
        return
    heading = _HEADING.fullmatch(line)
    if heading is not None and not heading[2]:
        yield _headed(heading[1])
    elif _INLINE.search(line) is not None and "|" not in line and _INLINE.sub("", line).strip():
        yield Lyrics(tuple(_INLINE.findall(line)))
    else:
        name, colon, rest = line.partition(":")
        if colon and not rest.startswith("|") and _NAME.fullmatch(name.strip()):
            yield _headed(name)
            line = rest.strip()
        if line:
            yield Cells(cells_of(line), line)


def is_heading(name: str) -> bool:
    """Whether charts call a section so: verse, tag 2."""
    return _ALONE.fullmatch(name) is not None


def cells_of(line: str) -> tuple[tuple[str, str], ...]:
    """The pieces of a line of chords."""
    open_ = _INLINE.sub(r" \1 ", line) if "[" in line else line
    found = [(match.lastgroup or "", match[0]) for match in _CELL.finditer(open_)]
    return tuple((kind, text) for kind, text in found if not (kind == "text" and text in _JOINS))


def times_of(text: str) -> int:
    """How often "x3", "(x 3)" or "3x" says."""
    found = _TIMES.fullmatch(text.strip())
    if found is None:
        return 1
    return 2 if found[3] else 3 if found[4] else max(1, int(found[1] or found[2]))


def _headed(text: str) -> Heading:
    """A heading as "Chorus x2" or "Chorus (x2)"."""
    name, _, last = text.strip().rpartition(" ")
    times = times_of(last)
    return Heading(name.strip(), times) if name and times > 1 else Heading(text.strip())


def _directed(name: str, value: str) -> Iterator[Line]:
    if name in _FACTS and value:
        yield Fact(_FACTS[name], value)
    elif name in _OPENS:
        yield Heading(value or _OPENS[name])
    elif name in ("c", "comment", "ci", "comment_italic") and value:
        yield _headed(value)

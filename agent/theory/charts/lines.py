"""The lines of a chart taken apart: what stands in front of the chords, and the chords with their bar lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from agent.song.chord_symbols import LONGEST_SYMBOL
from agent.theory.charts.counts import COUNTS, PIECE, TIMES, count_of, named
from agent.theory.charts.notation import written_out

_DIRECTIVE = re.compile(r"\{\s*([a-z_]{1,40})\s*(?::\s*([^{}]{0,200}))?\}", re.IGNORECASE)
_FACT = re.compile(
    r"(key|tone|time|meter|metre|tempo|bpm|title|t|capo|form|order|structure|transpose)\s*[:=]\s*(\S.{0,200})"
    r"|(capo|transpose)\s+(?:(?:on|at|in)\s+)?(?:fret\s+)?([+-]?[0-9]{1,2})(?:\w{2})?(?:\s+fret)?"
    r"|(form|structure|order)\s+((?-i:[A-D]{3,12}))", re.IGNORECASE
)
_HEADING = re.compile(r"\[([^\[\]|]{1,60})\]\s*(.*)")
_NAME = re.compile(r"[A-Za-z][\w' ()×/\-]{0,60}")
_INLINE = re.compile(r"\[([^\[\]]{1,24})\]")
_CELL = re.compile(
    r"(?P<sign>:?\|+:|:\|+|\|+\]?|\[\|)"
    rf"|{COUNTS}"
    r"|(?P<meter>\(?[0-9]{1,2}/(?:1|2|4|8|16)\)?:?(?=\s|\||$))|(?P<ending>\[[12345](?:\.|(?=\s))|[12345]\.(?=\s|[A-Ha-h\[]))"
    rf"|(?P<text>{PIECE})",
    re.IGNORECASE,
)
_BRACKETED_METER = re.compile(r"\[([0-9]{1,2}/[0-9]{1,2})\]:?")
_BRACKETS = re.compile(r"(?:\[[^\[\]|\n]{1,60}\][ \t]*){2,64}")
_ENDING = re.compile(
    r"\[?(?:([1-4])(?:st|nd|rd|th)|(first|second|third))(?: (?:time|ending|x))?\]?\s*[:|]\s*(.*)", re.IGNORECASE
)
_ORDINALS = {"first": "1", "second": "2", "third": "3"}
_OPENS = {
    "chorus": "Chorus",
    "soc": "Chorus", "sov": "Verse", "sob": "Bridge", "start_of_chorus": "Chorus", "start_of_verse": "Verse",
    "start_of_bridge": "Bridge",
}
_FACTS = {
    "t": "title", "title": "title", "key": "key", "tone": "key", "time": "meter", "meter": "meter", "metre": "meter",
    "tempo": "tempo", "bpm": "tempo", "form": "form", "order": "form", "structure": "form", "capo": "capo",
    "transpose": "transpose",
}
_SECTIONS = (
    "intro", "verse", "pre-chorus", "prechorus", "chorus", "refrain", "hook", "bridge", "middle eight", "interlude",
    "solo", "outro", "coda", "ending", "tag", "vamp", "head", "turnaround", "breakdown", "instrumental", "vs", "ch",
)
_ALONE = re.compile(
    rf"((?:(?:last|final) )?(?:{'|'.join(_SECTIONS)})(?: [0-9])?(?:\s?(?:{TIMES}))?)(?:\s{{2,10}}(\S.*)|\s?(\|.*))?",
    re.IGNORECASE,
)
"""The name of a section on a line of its own, or with room behind it before its chords."""
_LETTER = re.compile(r"([A-D][0-9']?)\s{1,20}\|")
_JOINS = frozenset({"-", "–", "—", "→", ">", "->", "~", "then"})


class ChartFact(Struct, frozen=True):
    """A fact about the song: `kind` is key, meter, tempo, title, form, capo or transpose, `text` its value as
    written."""

    kind: str
    text: str


class Heading(Struct, frozen=True):
    """The name of the section that begins here, how often it is played, and its stated number of bars (0 for none).
    `lift` is by how many semitones it is above the earlier section of its name, if its chords are not written again."""

    name: str
    times: int = 1
    bars: int = 0
    lift: int = 0


class Cells(Struct, frozen=True):
    """A line of chords: its (kind, text) cells in order, and the whole line as `text`. Kinds are sign (bar line),
    meter, ending, text (chord), and the kinds of `Count`."""

    cells: tuple[tuple[str, str], ...]
    text: str


class Lyrics(Struct, frozen=True):
    """A line of lyrics with chords in brackets within it."""

    chords: tuple[str, ...]


Line = ChartFact | Heading | Cells | Lyrics


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a chart text, each as what it is (fact, heading, chords or lyrics); empty lines and comments are
    left out."""
    for line in _lettered(with_bar_lines(text).splitlines()):
        bare = _BRACKETED_METER.sub(r"\1 ", line).strip()
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
        yield ChartFact(_FACTS[(fact[1] or fact[3] or fact[5]).lower()], (fact[2] or fact[4] or fact[6]).strip())
        return
    if count_of(line) is not None:
        yield Cells(cells_of(line), line)
        return
    again = _ENDING.fullmatch(line)
    if again is not None and again[3]:
        yield Cells((("ending", f"{again[1] or _ORDINALS[again[2].lower()]}."), *cells_of(again[3])), line)
        return
    alone = _ALONE.fullmatch(line)
    if alone is None and is_heading(named(line).name):
        yield from _headed(line)
        return
    if alone is not None:
        yield from _headed(alone[1])
        rest = (alone[2] or alone[3] or "").strip()
        if rest:
            yield Cells(cells_of(rest), rest)
        return
    heading = _HEADING.fullmatch(line)
    if heading is not None and _is_behind(heading[2]) and not _is_bars(line):
        yield from _headed(f"{heading[1]} {heading[2]}")
    elif _INLINE.search(line) is not None and "|" not in line and _INLINE.sub("", line).strip():
        yield Lyrics(tuple(_INLINE.findall(line)))
    else:
        name, colon, rest = line.partition(":")
        if colon and not rest.startswith("|") and _NAME.fullmatch(name.strip()):
            yield from _headed(name)
            line = rest.strip()
        if line:
            yield Cells(cells_of(line), line)


def is_heading(name: str) -> bool:
    """Whether a text is a usual name of a section in charts: "verse", "tag 2"."""
    return _ALONE.fullmatch(name) is not None


def cells_of(line: str) -> tuple[tuple[str, str], ...]:
    """The (kind, text) cells of a line of chords, as in `Cells`."""
    open_ = _INLINE.sub(r" \1 ", line) if "[" in line else line
    found = [(match.lastgroup or "", match[0]) for match in _CELL.finditer(written_out(open_))]
    return tuple((kind, text) for kind, text in found if not (kind == "text" and text in _JOINS))


def with_bar_lines(text: str) -> str:
    """The text with brackets replaced by bar lines if they enclose bars: "[Dm7 G7] [C]"; its length stays the same."""
    return _BRACKETS.sub(lambda found: _barred(found[0]) if _is_bars(found[0]) else found[0], text)


def _barred(text: str) -> str:
    return text.replace("[", "|").replace("]", "|")


def _is_bars(text: str) -> bool:
    """Whether brackets hold bars and not the words of a song: some of them more than one piece."""
    inside = [one.split() for one in re.findall(r"\[([^\[\]]*)\]", text)]
    return len(inside) > 1 and any(len(one) > 1 for one in inside) and all(
        piece[:1] in "ABCDEFGH" and len(piece) <= LONGEST_SYMBOL for one in inside for piece in one
    )


def _is_behind(text: str) -> bool:
    """Whether what stands behind a heading in brackets says only how it is played."""
    return not text or named(f"A {text}").name == "A"


def _headed(text: str) -> Iterator[Line]:
    """A heading as "Chorus x2", "Verse (8 bars)" or "Bridge (3/4)"."""
    found = named(text)
    yield Heading(found.name, found.times, found.bars, found.lift)
    if found.meter:
        yield ChartFact("meter", found.meter.strip("()"))


def _directed(name: str, value: str) -> Iterator[Line]:
    if name in _FACTS and value:
        yield ChartFact(_FACTS[name], value)
    elif name in _OPENS:
        yield Heading(value or _OPENS[name])
    elif name in ("c", "comment", "ci", "comment_italic") and value:
        yield from _headed(value)

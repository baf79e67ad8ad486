"""Reading a chart: plain text, bars and repeats, ChordPro, roman numerals and Nashville numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from agent.errors import BandleaderError
from agent.song.key import TONICS, Key, Mode
from agent.theory.charts.chart import (
    LONGEST_TEXT,
    MOST_BARS,
    BarChord,
    Chart,
    ChartBar,
    ChartError,
    ChartSection,
    Meter,
    Remark,
    bar_starts,
)
from agent.theory.charts.lines import Cells, Fact, Heading, Line, Lyrics, lines_of, times_of
from agent.theory.charts.notation import Reader, nearest, notation_of
from agent.theory.charts.strokes import HOLDS, as_bars, as_beats

_AGAIN = frozenset({"%", "./.", "·/·", "simile", "sim."})
_METER = re.compile(r"\(?([0-9]{1,2})/(1|2|4|8|16)\)?")
_TEMPO = re.compile(r"([0-9]{2,3}(?:\.[0-9]{1,3})?)")
_KEY = re.compile(
    r"([A-Ha-h](?:#|b|♯|♭)?)\s*(m(?![a-z])|min(?:or)?|maj(?:or)?|dorian|phrygian|lydian|mixolydian|locrian)?",
    re.IGNORECASE,
)
_COMMON: dict[str, Meter] = {"c": (4, 4), "common": (4, 4), "cut": (2, 2)}
_TOLD = 6


@dataclass(frozen=True)
class _Bar:
    """A bar as it is written: its chords, the section that it stands in, and what stands at its edges."""

    meter: Meter
    chords: tuple[BarChord, ...]
    section: int
    opens: bool = False
    closes: int = 0
    """How often what ends with this bar is played; 0 where no repeat ends."""
    ending: int = 0


@dataclass
class _Taken:
    """What was taken from the lines so far."""

    key: Key
    meter: Meter
    bars: list[_Bar] = field(default_factory=list)
    names: list[Heading] = field(default_factory=lambda: [Heading("")])
    facts: dict[str, str] = field(default_factory=dict)
    faults: list[tuple[str, int]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    doubts: list[Remark] = field(default_factory=list)
    stated: Meter | None = None
    """The first meter that the text states."""

    def turn_to(self, text: str) -> None:
        """From here on in the meter of a text, if it is one."""
        found = _meter(text)
        self.meter = found or self.meter
        self.stated = self.stated or found


def read_chart(text: str, key: Key | None = None, meter: Meter = (4, 4)) -> Chart:
    """The chart of a text. `key` and `meter` hold until the text states others; without any key it is C major.

    Raises `ChartError` for a text without chords, for chords that cannot be read (it names them with their bars and
    what they may have meant), and beyond `LONGEST_TEXT` and `MOST_BARS`.
    """
    if len(text) > LONGEST_TEXT:
        raise ChartError("the chart is too long", why=f"it has {len(text):,} characters of at most {LONGEST_TEXT:,}")
    lines = [_as_words(line) for line in lines_of(text)]
    named = {line.name.casefold() for line in lines if isinstance(line, Heading)}
    lines = [Heading(line) if isinstance(line, str) and line.casefold() in named else line for line in lines]
    chords = [one for line in lines for one in _texts(line)]
    if not chords:
        raise ChartError("the chart has no chords", fix="write for example: | C | Am7 D7 | G |")
    stated = next((_key(line.text) for line in lines if isinstance(line, Fact) and line.kind == "key"), None)
    taken = _Taken(stated or key or Key("C"), meter)
    read = notation_of(chords)
    for line in lines:
        _take(line, taken, read)
    german = next((one for one in chords if one.startswith("H")), None)
    if german is not None:
        taken.doubts.append(Remark(german, f"the H of {german} is read as B natural, as it is called in German"))
    if taken.faults:
        raise _unreadable(taken.faults)
    return _chart(taken, stated or key, needs_key=read("I", taken.key) is not None or read("1", taken.key) is not None)


def _as_words(line: Line) -> Line | str:
    """A line of chords, or its text where most of it is none: words of a song, a remark."""
    if not isinstance(line, Cells) or any(kind == "sign" for kind, _ in line.cells):
        return line
    texts = [text for kind, text in line.cells if kind == "text" and text not in HOLDS and text not in _AGAIN]
    read = notation_of(texts)
    known = sum(read(text, Key("C")) is not None for text in texts)
    return line if texts and 2 * known > len(texts) else line.text


def _texts(line: Line | str) -> tuple[str, ...]:
    """The chords of a line as they are written."""
    if isinstance(line, Lyrics):
        return tuple(text for text in line.chords if text not in HOLDS and text not in _AGAIN)
    if isinstance(line, Cells):
        return tuple(text for kind, text in line.cells if kind == "text" and text not in HOLDS and text not in _AGAIN)
    return ()


def _take(line: Line | str, taken: _Taken, read: Reader) -> None:
    match line:
        case str():
            taken.unread.append(line[:80])
        case Heading():
            taken.names.append(line)
        case Fact(kind="key", text=text):
            taken.key = _key(text) or taken.key
        case Fact(kind="meter", text=text):
            taken.turn_to(text)
        case Fact(kind=kind, text=text):
            taken.facts.setdefault(kind, text)
        case Lyrics(chords=chords):
            for one in chords:
                _add(taken, read, [one])
        case Cells(cells=cells) if any(kind == "sign" for kind, _ in cells):
            _barred(cells, taken, read)
        case Cells(cells=cells):
            _free(cells, taken, read)


def _barred(cells: Sequence[tuple[str, str]], taken: _Taken, read: Reader) -> None:
    """A line with bar lines. What repeats it at its end, "x3" without signs, plays the whole line as often."""
    first, opens, ending = len(taken.bars), False, 0
    texts: list[str] = []
    for kind, text in (*cells, ("sign", "|")):
        if kind == "sign":
            if texts:
                _add(taken, read, texts, opens=opens, ending=ending)
                opens, texts = False, []
            if text.startswith(":") and len(taken.bars) > 0:
                taken.bars[-1] = replace(taken.bars[-1], closes=2)
                ending = 0
            opens = opens or text.endswith(":")
        elif kind == "meter":
            taken.turn_to(text)
        elif kind == "ending":
            ending = int(text.strip("[."))
        elif kind == "times":
            _repeat(taken, first, times_of(text))
        elif text.isdigit() and not texts and int(text) <= 9 and read(text, taken.key) is None:
            ending = int(text)
        else:
            texts.append(text)


def _repeat(taken: _Taken, first: int, times: int) -> None:
    if first >= len(taken.bars):
        return
    if not any(bar.closes for bar in taken.bars[first:]):
        taken.bars[first] = replace(taken.bars[first], opens=True)
    taken.bars[-1] = replace(taken.bars[-1], closes=times)


def _free(cells: Sequence[tuple[str, str]], taken: _Taken, read: Reader) -> None:
    """A line without bar lines: a chord a bar, or a beat where strokes hold it.

    One "x2" at its end plays the line twice; several of them say for each chord how many bars it lasts.
    """
    first = len(taken.bars)
    texts = [text for kind, text in cells if kind == "text"]
    times = [text for kind, text in cells if kind == "times"]
    parted = as_bars(texts)
    if parted is not None:
        bars = "bar lines" if len(parted) == texts.count("/") + 1 else "ends of lines, a chord a bar"
        taken.doubts.append(Remark(" ".join(texts), f"the strokes between the chords are read as {bars}"))
        for one in parted:
            _add(taken, read, one)
    elif any(text in HOLDS for text in texts):
        beats = taken.meter[0]
        for at in range(0, len(texts), beats):
            _add(taken, read, texts[at : at + beats], whole=beats)
    else:
        for kind, text in cells:
            if kind == "meter":
                taken.turn_to(text)
            elif kind == "text":
                _add(taken, read, [text])
            elif kind == "times" and len(times) > 1 and len(taken.bars) > first:
                for _ in range(times_of(text) - 1):
                    _add(taken, read, ["%"])
    if len(times) == 1 and times_of(times[0]) > 1:
        _repeat(taken, first, times_of(times[0]))


def _add(
    taken: _Taken, read: Reader, texts: Sequence[str], *, opens: bool = False, ending: int = 0, whole: int = 0
) -> None:
    """One more bar; `whole` is how many pieces fill it, else those that it has."""
    number = len(taken.bars) + 1
    section = len(taken.names) - 1
    if len(texts) == 1 and texts[0] in _AGAIN:
        before = taken.bars[-1].chords if taken.bars else ()
        taken.bars.append(_Bar(taken.meter, before, section, opens, 0, ending))
        return
    if not whole:
        texts, doubt = as_beats(taken.meter, texts, number)
        taken.doubts += [doubt] if doubt is not None else []
    starts = bar_starts(taken.meter, max(len(texts), whole))
    chords: list[BarChord] = []
    for start, text in zip(starts, texts, strict=False):
        if text in HOLDS or text in _AGAIN:
            continue
        symbol = read(text, taken.key)
        if symbol is None:
            taken.faults.append((text, number))
        else:
            chords.append(BarChord(symbol, start))
    taken.bars.append(_Bar(taken.meter, tuple(chords), section, opens, 0, ending))
    if len(taken.bars) > MOST_BARS:
        raise _too_many()


def _played(bars: Sequence[_Bar]) -> Iterator[_Bar]:
    """The bars in the order in which they are played: repeats as often as they say, endings in turn."""
    at = opened = done = 0
    while at < len(bars):
        opened = at if bars[at].opens else opened
        times = bars[at].closes
        at += 1
        if times:
            while at < len(bars) and bars[at].ending > 1:
                at += 1
            block = bars[opened:at]
            yield from bars[done:opened]
            for number in range(1, max(times, *(bar.ending for bar in block)) + 1):
                yield from (bar for bar in block if bar.ending in (0, number))
            done = opened = at
    yield from bars[done:]


def _chart(taken: _Taken, key: Key | None, *, needs_key: bool) -> Chart:
    bars: list[_Bar] = []
    for bar in _played(taken.bars):
        bars.append(bar)
        if len(bars) > MOST_BARS:
            raise _too_many()
    sections = _sections(bars, taken.names)
    ordered = _in_form(sections, taken.facts.get("form", ""))
    told = [bar for _, own in ordered for bar in own]
    if len(told) > MOST_BARS:
        raise _too_many()
    places: list[ChartSection] = []
    first = 1
    for name, own in ordered:
        if name and own:
            places.append(ChartSection(name, first, len(own)))
        first += len(own)
    tempo = _TEMPO.search(taken.facts.get("tempo", ""))
    return Chart(
        tuple(ChartBar(bar.meter, bar.chords) for bar in told), tuple(places), key,
        float(tempo[1]) if tempo else None, taken.facts.get("title", "")[:120],
        ("the key is C major, as none is stated",) if needs_key and key is None else (), tuple(taken.unread),
        taken.stated, tuple(taken.doubts),
    )


def _sections(bars: Sequence[_Bar], names: Sequence[Heading]) -> list[tuple[str, list[_Bar]]]:
    """The bars by their headings; one without bars of its own has those of the last of its name."""
    own: list[list[_Bar]] = [[] for _ in names]
    for bar in bars:
        own[bar.section].append(bar)
    known: dict[str, list[_Bar]] = {}
    made: list[tuple[str, list[_Bar]]] = []
    for heading, within in zip(names, own, strict=True):
        name = heading.name.casefold()
        played = within or known.get(name, [])
        known[name] = known.get(name) or within
        if played:
            made += [(heading.name, list(played))] * heading.times
    return made


def _in_form(sections: list[tuple[str, list[_Bar]]], form: str) -> list[tuple[str, list[_Bar]]]:
    """The sections in the order that a form names by their names or first letters; as they stand without one."""
    words = [word for word in re.split(r"[\s,;.\-–>|]+", form) if word]
    words = list(words[0]) if len(words) == 1 and words[0].isupper() and len(words[0]) > 1 else words
    known = {name.casefold(): (name, bars) for name, bars in reversed(sections) if name}
    found = [
        known.get(word.casefold()) or next((known[name] for name in known if name.startswith(word.casefold())), None)
        for word in words
    ]
    whole = [one for one in found if one is not None]
    return whole if whole and len(whole) == len(found) else sections


def _key(text: str) -> Key | None:
    found = _KEY.match(text.strip())
    if found is None:
        return None
    tonic = found[1][0].upper() + found[1][1:].replace("♯", "#").replace("♭", "b")
    tonic = "B" if tonic == "H" else tonic
    word = (found[2] or "major").casefold()
    modes: dict[str, Mode] = {"m": "minor", "min": "minor", "minor": "minor", "maj": "major", "major": "major"}
    mode: Mode = modes.get(word) or word  # type: ignore[assignment]
    return Key(tonic, mode) if tonic in TONICS else None


def _meter(text: str) -> Meter | None:
    found = _METER.fullmatch(text.strip())
    if found is None:
        return _COMMON.get(text.strip().casefold())
    beats, unit = int(found[1]), int(found[2])
    return (beats, unit) if 1 <= beats <= 32 else None


def _unreadable(faults: Sequence[tuple[str, int]]) -> ChartError:
    distinct = dict.fromkeys(faults)
    named = [f"{text[:24]!r} in bar {bar}" for text, bar in list(distinct)[:_TOLD]]
    more = f" and {len(distinct) - _TOLD} more" if len(distinct) > _TOLD else ""
    meant = [f"{nearest(text)} for {text[:24]}" for text, _ in list(distinct)[:_TOLD] if nearest(text)]
    fix = f"did you mean {', '.join(dict.fromkeys(meant))}?" if meant else "write chords as C, F#m7, Bbmaj7/D, N.C."
    texts = tuple(text for text, _ in distinct)
    return ChartError(f"cannot read {', '.join(named)}{more}", why="that is no chord", fix=fix, unreadable=texts)


def _too_many() -> BandleaderError:
    return ChartError("the chart is too long", why=f"it has more than {MOST_BARS:,} bars, repeats counted")

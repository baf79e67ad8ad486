"""Reading a chart: plain text, bars and repeats, ChordPro, roman numerals and Nashville numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.message import msg
from agent.song.key import TONICS, Key, Mode
from agent.theory.charts.chart import (
    LONGEST_TEXT,
    MOST_BARS,
    BarChord,
    Chart,
    ChartBar,
    ChartError,
    ChartRemark,
    ChartSection,
    Meter,
    bar_starts,
)
from agent.theory.charts.counts import count_of
from agent.theory.charts.form import WrittenBar, cut_short, empty, in_form, in_sections, played
from agent.theory.charts.german import german_remarks
from agent.theory.charts.lasting import AGAIN, as_phrases, lasting
from agent.theory.charts.lines import Cells, ChartFact, Heading, Line, Lyrics, lines_of
from agent.theory.charts.notation import Reader, is_sung, nearest, notation_of
from agent.theory.charts.strokes import HOLDS, as_bars, as_beats
from agent.theory.charts.transposing import as_said
from agent.theory.german_names import chord_in_english, german_key

_AGAIN = frozenset({AGAIN, "./.", "·/·", "simile", "sim."})
_METER = re.compile(r"\(?([0-9]{1,2})/(1|2|4|8|16)\)?:?")
_NO_METER = re.compile(r"\(?[0-9]{1,3}/[0-9]{1,3}\)?:?")
_TEMPO = re.compile(r"([0-9]{2,3}(?:\.[0-9]{1,3})?)")
_KEY = re.compile(
    r"([A-Ha-h](?:#|b|♯|♭)?)\s*(m(?![a-z])|min(?:or)?|maj(?:or)?|dorian|phrygian|lydian|mixolydian|locrian)?",
    re.IGNORECASE,
)
_COMMON: dict[str, Meter] = {"c": (4, 4), "common": (4, 4), "cut": (2, 2)}
_TOLD = 6
_SHORTER = "give only the bars of one song"


@dataclass
class _Taken:
    """What was taken from the lines so far."""

    key: Key
    meter: Meter
    bars: list[WrittenBar] = field(default_factory=list)
    names: list[Heading] = field(default_factory=lambda: [Heading("")])
    facts: dict[str, str] = field(default_factory=dict)
    faults: list[tuple[str, int]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    doubts: list[ChartRemark] = field(default_factory=list)
    stated: Meter | None = None
    """The meter that the text states for its first bar."""
    line: int = 0
    """The bar with which the last line of chords begins, counted from 0."""

    def key_change(self, text: str) -> None:
        """From here on in the key of a text, if it is one: numerals are in it, which is told."""
        found = _key(text)
        if found is not None and self.bars and found != self.key:
            where = f"from bar {len(self.bars) + 1}"
            reason = f"the chart goes on in {found} {where}: its chords do, the key of the song stays"
            self.doubts.append(ChartRemark(text, reason))
        self.key = found or self.key

    def turn_to(self, text: str) -> None:
        """From here on in the meter of a text, if it is one."""
        found = _meter(text)
        self.meter = found or self.meter
        self.stated = self.stated or (found if not self.bars else None)


def read_chart(text: str, key: Key | None = None, meter: Meter = (4, 4)) -> Chart:
    """The chart of a text. `key` and `meter` hold until the text states others; without any key it is C major.

    Raises `ChartError` for a text without chords, for chords that cannot be read (it names them with their bars and
    what they may have meant), and beyond `LONGEST_TEXT` and `MOST_BARS`.
    """
    if len(text) > LONGEST_TEXT:
        why = msg("it has {count:,} characters of at most {longest_text:,}", count=len(text), longest_text=LONGEST_TEXT)
        raise ChartError(msg("the chart is too long"), why=why, fix=_SHORTER)
    lines = _worded(list(lines_of(text)))
    named = {line.name.casefold() for line in lines if isinstance(line, Heading)}
    lines = [Heading(line) if isinstance(line, str) and line.casefold() in named else line for line in lines]
    lines, told = as_phrases(lines)
    chords = [one for line in lines for one in _texts(line)]
    if not chords:
        raise ChartError(msg("the chart has no chords"), fix=msg("write for example: | C | Am7 D7 | G |"))
    stated = next((_key(line.text) for line in lines if isinstance(line, ChartFact) and line.kind == "key"), None)
    taken = _Taken(stated or key or Key("C"), meter, doubts=told)
    read = notation_of(chords)
    for line in lines:
        texts = _texts(line)
        _take(line, taken, read if any(read(one, taken.key) for one in texts) else notation_of(texts))
    taken.doubts += german_remarks(chords)
    if taken.faults:
        raise _unreadable(taken.faults)
    return _chart(taken, stated or key, needs_key=read("I", taken.key) is not None or read("1", taken.key) is not None)


def _worded(lines: Sequence[Line]) -> list[Line | str]:
    """The lines, those of words as their text. Syllables, which may be sung, are chords where nothing else is."""
    read = [_as_words(line, sung=False) for line in lines]
    return read if any(map(_texts, read)) else [_as_words(line, sung=True) for line in lines]


def _as_words(line: Line, *, sung: bool) -> Line | str:
    """A line of chords, or its text where most of it is none: words of a song, a remark."""
    if not isinstance(line, Cells) or any(kind == "sign" for kind, _ in line.cells):
        return line
    texts = [text for kind, text in line.cells if kind == "text" and text not in HOLDS and text not in _AGAIN]
    if not texts:
        return line if any(kind != "text" for kind, _ in line.cells) else line.text
    if all(map(is_sung, texts)) and (not sung or len(set(texts)) == 1):
        return line.text
    read = notation_of(texts)
    known = sum(read(text, Key("C")) is not None for text in texts)
    return line if 2 * known > len(texts) else line.text


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
        case ChartFact(kind="key", text=text):
            taken.key_change(text)
        case ChartFact(kind="meter", text=text):
            taken.turn_to(text)
        case ChartFact(kind=kind, text=text):
            taken.facts.setdefault(kind, text)
        case Lyrics(chords=chords):
            for one in chords:
                _add(taken, read, [one])
        case Cells(cells=cells) if all(kind in ("times", "lasts") for kind, _ in cells):
            _count_again(cells, taken)
        case Cells(cells=cells):
            first = len(taken.bars)
            (_barred if any(kind == "sign" for kind, _ in cells) else _free)(cells, taken, read)
            taken.line = first


def _barred(cells: Sequence[tuple[str, str]], taken: _Taken, read: Reader) -> None:
    """A line with bar lines. What repeats it at its end, "x3" without signs, plays the whole line as often."""
    first, opens, ending, lasts = len(taken.bars), False, 0, 0
    texts: list[str] = []
    for kind, text in (*cells, ("sign", "|")):
        if kind == "sign":
            if texts:
                _add(taken, read, texts, opens=opens, ending=ending)
                for _ in range(lasts - 1):
                    _add(taken, read, [AGAIN], ending=ending)
                opens, texts, lasts = False, [], 0
            elif lasts:
                _fill(taken, first, lasts)
                lasts = 0
            if text.startswith(":") and len(taken.bars) > 0:
                taken.bars[-1] = replace(taken.bars[-1], closes=2)
                ending = 0
            opens = opens or text.endswith(":")
        elif kind == "meter":
            taken.turn_to(text)
        elif kind == "ending":
            ending = _ends(taken, int(text.strip("[.")))
        elif kind == "times":
            _repeat(taken, first, _number(text))
        elif kind in ("lasts", "ahead", "each"):
            lasts = _number(text)
        elif text.isdigit() and not texts and int(text) <= 9 and read(text, taken.key) is None:
            ending = int(text)
        else:
            texts.append(text)


def _number(text: str) -> int:
    """What a count says; 1 for no count."""
    found = count_of(text)
    return max(1, found.number) if found is not None else 1


def _ends(taken: _Taken, ending: int) -> int:
    """An ending that begins; the one before it repeats also without a sign."""
    if ending > 1 and taken.bars and taken.bars[-1].ending and not taken.bars[-1].closes:
        taken.bars[-1] = replace(taken.bars[-1], closes=2)
    return ending


def _count_again(cells: Sequence[tuple[str, str]], taken: _Taken) -> None:
    """A line that only counts: the line above is played as often, or goes round for so many bars."""
    for kind, text in cells:
        if kind == "times":
            _repeat(taken, taken.line, _number(text))
        else:
            _fill(taken, taken.line, _number(text))


def _fill(taken: _Taken, first: int, length: int) -> None:
    """The bars from the index `first` on as many as are said, going round."""
    written = taken.bars[first:]
    if not written or length < len(written):
        return
    if length % len(written):
        reason = f"{len(written)} bars are written for {length}: they go round, and the last round is cut short"
        taken.doubts.append(ChartRemark("", reason))
    for at in range(len(written), min(length, MOST_BARS)):
        taken.bars.append(replace(written[at % len(written)], opens=False, closes=0))


def _repeat(taken: _Taken, first: int, times: int) -> None:
    if first >= len(taken.bars) or times < 2:
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
    ending = next((_ends(taken, int(text.strip("[."))) for kind, text in cells if kind == "ending"), 0)
    said = lasting(cells, taken.meter)
    parted = as_bars(texts)
    if said is not None:
        for one in said.bars:
            _add(taken, read, one, ending=ending, whole=taken.meter[0] if said.beats else 0)
        _fill(taken, first, said.fills)
        return
    if parted is not None:
        bars = "bar lines" if len(parted) == texts.count("/") + 1 else "ends of lines, a chord a bar"
        taken.doubts.append(ChartRemark(" ".join(texts), f"the strokes between the chords are read as {bars}"))
        for bar in parted:
            _add(taken, read, bar, ending=ending)
    elif any(text in HOLDS for text in texts):
        beats = taken.meter[0]
        for at in range(0, len(texts), beats):
            _add(taken, read, texts[at : at + beats], ending=ending, whole=beats)
    else:
        for kind, text in cells:
            if kind == "meter":
                taken.turn_to(text)
            elif kind == "text":
                _add(taken, read, [text], ending=ending)
    if len(times) == 1:
        _repeat(taken, first, _number(times[0]))


def _add(
    taken: _Taken, read: Reader, texts: Sequence[str], *, opens: bool = False, ending: int = 0, whole: int = 0
) -> None:
    """One more bar; `whole` is how many pieces fill it, else those that it has."""
    number = len(taken.bars) + 1
    section = len(taken.names) - 1
    if len(texts) == 1 and texts[0] in _AGAIN:
        before = taken.bars[-1].chords if taken.bars else ()
        taken.bars.append(WrittenBar(taken.meter, before, section, opens, 0, ending))
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
    taken.bars.append(WrittenBar(taken.meter, tuple(chords), section, opens, 0, ending))
    if len(taken.bars) > MOST_BARS:
        raise _too_many()


def _chart(taken: _Taken, key: Key | None, *, needs_key: bool) -> Chart:
    bars: list[WrittenBar] = []
    for bar in played(taken.bars):
        bars.append(bar)
        if len(bars) > MOST_BARS:
            raise _too_many()
    sections = in_sections(bars, taken.names, key)
    ordered = in_form(sections, taken.facts.get("form", ""))
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
    chart = Chart(
        tuple(ChartBar(bar.meter, bar.chords) for bar in told), tuple(places), key,
        float(tempo[1]) if tempo else None, taken.facts.get("title", "")[:120],
        ("the key is C major, as none is stated",) if needs_key and key is None else (), tuple(taken.unread),
        taken.stated, (*taken.doubts, *cut_short(bars, taken.names), *empty(bars, taken.names)),
        len(told) > len(taken.bars),
    )
    return as_said(chart, taken.facts)


def _key(text: str) -> Key | None:
    if (german := german_key(text)) is not None:
        return german
    found = _KEY.match(chord_in_english(text.strip()))
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
    fix = (
        msg("did you mean {meant}?", meant=", ".join(dict.fromkeys(meant))) if meant
        else msg("write chords as C, F#m7, Bbmaj7/D, N.C.")
    )
    if all(_NO_METER.fullmatch(text) for text, _ in distinct):
        return ChartError(
            msg("cannot read {named}{more}", named=", ".join(named), more=more), why=msg("that is no meter"),
            fix=msg("write meters as 3/4 or 7/8: a beat is a 1st, 2nd, 4th, 8th or 16th note"),
        )
    texts = [text for text, _ in distinct]
    meanings = ({text: nearest(text) for text in texts},) if all(map(nearest, texts)) else ()
    return ChartError(
        msg("cannot read {named}{more}", named=", ".join(named), more=more), why=msg("that is no chord"), fix=fix,
        meanings=meanings,
    )


def _too_many() -> BandleaderError:
    return ChartError(
        msg("the chart is too long"), why=msg("it has more than {most_bars:,} bars", most_bars=MOST_BARS), fix=_SHORTER,
    )

"""Where a section or bar lies: in bars, on the clock, in samples and frames, and in the song as a whole."""

from __future__ import annotations

import re

from agent.chat.answer import Answer, BarsLink, Fact
from agent.chat.answering.asked import words_of
from agent.chat.answering.form import form
from agent.chat.answering.moments import borders, sounding_at
from agent.chat.answering.wording import bars_said, counted, links_to, listed, minutes, number, places, section_bars
from agent.chat.context import Context
from agent.chat.messages import About, Question
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.sounding import sounding

_GOLDEN = (5**0.5 - 1) / 2
_NEAR = 0.03
"""Share of the song within which a place is near a point of it."""
_RATE = re.compile(r"(\d{2,3}(?:\.\d)?) ?k")
_RATE_IN_FULL = re.compile(r"\b(\d{5,6}) ?hz")
_FPS = re.compile(r"(\d{2}(?:\.\d{1,3})?) ?(?:fps|frames per second)")
_USUAL_RATE = 48_000
_USUAL_FPS = 25.0
_LATE = 0.7
"""Share of a beat after which the next one is near."""
_AROUND = 1.0
"""Seconds around a time within which something happens there."""


def place(context: Context, question: Question) -> Answer:
    """An answer that says where the named sections are, or in which sections the named bars are: with start and end in
    seconds and per cent of the song, and in samples, frames or against the golden section where the words ask so."""
    song, about = context.song, question.about
    if about.bars is not None and not about.sections:
        return _of_bars(song, about.bars, question.words)
    found_places = places(about, song)
    if not found_places:
        return form(context, About())
    said = listed(
        f"{name.partition(' (')[0]} in {bars_said(first, last)} ({_timed(song, first, last)})"
        for name, first, last in found_places
    )
    facts = [Fact(name.partition(" (")[0], f"{first}-{last}", "bars") for name, first, last in found_places]
    more = ""
    for name, first, last in found_places:
        title = name.partition(" (")[0] if len(found_places) > 1 else ""
        more += _precisely(song, title, (first, last), question.words, facts)
    links = links_to((first, last) for _, first, last in found_places)
    return Answer(f"{said}, as set in the song.{more}", tuple(facts), links)


def clock(context: Context, question: Question) -> Answer:
    """An answer with the bar, beat and section that sound at the time asked about."""
    song, seconds = context.song, question.about.moment
    if seconds is None:
        return place(context, question)
    said = _clocked(seconds)
    tick = song.tempo_map.ticks(seconds)
    if tick >= song.end:
        return Answer(
            f"At {said} the song is over: it ends at {minutes(song.tempo_map.seconds(song.end))}, after bar "
            f"{song.bars}.", (Fact("bar", song.bars),),
        )
    bar = song.bar_map.bar_at(tick)
    start = song.bar_map.start_of(bar)
    meter = song.bar_map.meter_at(start)
    beats = (tick - start) * meter.beats / meter.bar_length + 1
    beat = int(beats)
    late = f", just before beat {beat + 1}" if beats - beat > _LATE and beat < meter.beats else ""
    inside = listed(one.name for one in song.sections if one.start <= tick < one.end)
    where = f", in {inside}" if inside else ""
    facts = (Fact("bar", bar), Fact("beat", beat), Fact("section", inside))
    around = [sounding_at(context, tick), _near_by(song, seconds), borders(song, seconds, _AROUND)]
    text = " ".join([f"At {said} it is in bar {bar}, beat {beat}{where}{late}.", *(one for one in around if one)])
    return Answer(text, facts, (BarsLink(bar, bar),))


def _clocked(seconds: float) -> str:
    """A time as it was asked for, to a tenth: 1:24, 0:41.5."""
    tenths = round(seconds * 10)
    whole = f"{tenths // 600}:{tenths // 10 % 60:02d}"
    return f"{whole}.{tenths % 10}" if tenths % 10 else whole


def _near_by(song: Song, seconds: float) -> str:
    """The sections that begin and the parts that come in after a rest of a bar, within a second of a time."""
    early, late = (song.tempo_map.ticks(max(0.0, seconds + by)) for by in (-_AROUND, _AROUND))
    begin = [
        f"{one.name} begins at {_clocked(song.tempo_map.seconds(one.start))}" for one in song.sections
        if early <= one.start <= late
    ]
    rest = song.bar_map.meter_at(early).bar_length
    sounded: dict[TrackId, int] = {}
    entering: dict[TrackId, int] = {}
    for note in sounding(song):
        if note.start > late:
            break
        if note.start >= early and note.start - sounded.get(note.track, -rest) >= rest:
            entering.setdefault(note.track, note.start)
        sounded[note.track] = max(sounded.get(note.track, 0), note.end)
    come = [
        f"{song.track(track).name} comes in at {_clocked(song.tempo_map.seconds(at))}" for track, at in entering.items()
    ]
    return f"{listed([*begin, *come])}." if begin or come else "No section begins and no part comes in within a second."


def _of_bars(song: Song, bars: tuple[int, int], words: str) -> Answer:
    first, last = bars
    if first > song.bars:
        return Answer(f"The song has no bar {first}: it ends after bar {song.bars}.", (Fact("bars", song.bars),))
    start, end = song.bar_map.span(first, last)
    found = [one for one in song.sections if one.start < end and one.end > start]
    said = listed(f"{one.name} ({bars_said(*section_bars(song, one))})" for one in found)
    where = bars_said(first, last)
    inside = f"is in {said}" if found else "is in no section"
    facts = [Fact("section", one.name) for one in found]
    more = _precisely(song, "", bars, words, facts)
    text = f"{where[0].upper()}{where[1:]} {inside}: {_timed(song, first, last)}.{more}"
    return Answer(text, tuple(facts), (BarsLink(first, last),))


def _timed(song: Song, first: int, last: int) -> str:
    """How long bars last, and when they begin: 8 bars, 0:26, from 0:52 on."""
    start, end = _seconds(song, first, last)
    return f"{counted(last - first + 1, 'bar')}, {minutes(end - start)} long, from {minutes(start)} on"


def _seconds(song: Song, first: int, last: int) -> tuple[float, float]:
    start, end = song.bar_map.span(first, last)
    return song.tempo_map.seconds(start), song.tempo_map.seconds(end)


def _precisely(song: Song, title: str, bars: tuple[int, int], words: str, facts: list[Fact]) -> str:
    """Start and end in seconds and per cent, and in what else the words ask for; the figures are added to `facts`."""
    start, end = _seconds(song, *bars)
    name = f"{title} " if title else ""
    text = f" {title or 'That is'} {'lasts from ' if title else ''}{start:.3f} s to {end:.3f} s"
    facts += [Fact(f"{name}start", round(start, 3), "s"), Fact(f"{name}end", round(end, 3), "s")]
    if song.bars:
        before = 100 * (bars[0] - 1) / song.bars
        after = 100 * min(bars[1], song.bars) / song.bars
        text += f", {before:.1f} % to {after:.1f} % of the song by bars"
        facts.append(Fact(f"{name}begins after", round(before, 1), "%"))
    asked = words_of(words)
    if asked & {"sample", "samples", "khz", "48k", "44"}:
        text += _in_samples(start, end, words, name, facts)
    if asked & {"frame", "frames", "fps", "timecode", "smpte"}:
        text += _in_frames(start, end, words)
    if asked & {"ms", "millisecond", "milliseconds", "millis"}:
        text += f"; {start * 1000:,.0f} ms to {end * 1000:,.0f} ms"
    if asked & {"golden", "goldene", "fibonacci", "phi"}:
        return f"{text}.{_golden(song, bars[0], facts)}"
    return f"{text}."


def _in_samples(start: float, end: float, words: str, name: str, facts: list[Fact]) -> str:
    plain = words.casefold()
    in_full, short = _RATE_IN_FULL.search(plain), _RATE.search(plain)
    rate = int(in_full[1]) if in_full else round(float(short[1]) * 1000) if short else _USUAL_RATE
    first, last = round(start * rate), round(end * rate)
    unit = f"at {rate} Hz"
    facts += [Fact(f"{name}start in samples", first, unit), Fact(f"{name}end in samples", last, unit)]
    return f"; at {number(rate / 1000)} kHz from sample {first:,} to {last:,}, {last - first:,} samples long"


def _in_frames(start: float, end: float, words: str) -> str:
    found = _FPS.search(words.casefold())
    rate = float(found[1]) if found else _USUAL_FPS
    return f"; at {number(rate)} frames a second from {_timecode(start, rate)} to {_timecode(end, rate)}"


def _timecode(seconds: float, rate: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}:{int((seconds - whole) * rate + 1e-6):02d}"


def _golden(song: Song, first: int, facts: list[Fact]) -> str:
    """How far a bar is from the golden section of the song."""
    if not song.bars:
        return ""
    point = _GOLDEN * song.bars
    begins = first - 1
    off = abs(begins - point)
    near = "very near" if off <= _NEAR * song.bars else "not near"
    facts.append(Fact("golden section", int(point) + 1, "bar"))
    side = "after" if begins > point else "before"
    return (
        f" The golden section (61.8 %) of {song.bars} bars lies in bar {int(point) + 1}, after {point:.1f} bars: the "
        f"beginning of bar {first} is {near} it, {off:.1f} bars {side}."
    )

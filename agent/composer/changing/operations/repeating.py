"""Repeating: a stretch of the song once more, right after itself."""

from __future__ import annotations

from types import MappingProxyType

from msgspec import structs

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.changing.time.form import ending_of, instead_of_ending, numbered, section_at
from agent.composer.changing.time.material import filled, taken, within
from agent.composer.changing.time.moves import Inserted
from agent.composer.changing.time.timeline import NewId, copy_time, insert_time
from agent.composer.styles import StyleBook
from agent.composer.tones import STEP, Tone
from agent.composer.understanding.operations import Repeat
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.ids import SectionId
from agent.song.song import Section, Song
from agent.song.time import Ticks

_MOST = 64
"""Times that anything is played, at most."""
MOST_BARS = 1024
"""The longest song that may result, in bars."""


def repeat(stage: Stage, operation: Repeat) -> None:
    """Play the stage's bars as often as was said, directly one after another, with a drum fill before each repeat."""
    for start, end in reversed(whole_bars(stage)):
        for number in range(operation.times - 1):
            by = number * (end - start)
            again(stage, start + by, end + by)


def again(stage: Stage, start: int, end: int) -> None:
    """Insert a copy of a stretch of whole bars right behind it, with a drum fill between; the song's ending is not
    repeated. Raises `Blocked` if the song gets too long."""
    song, length, ending = stage.song, end - start, ending_of(stage)
    if song.bars + length // song.meters[0].bar_length > MOST_BARS:
        raise Blocked(msg("a song of more than {most_bars} bars is too long", most_bars=MOST_BARS))
    why = f"{called(song, start, end)} comes once more"
    new_id = stage.sketch.new_id
    if not start < ending < end:
        copied = copy_time(insert_time(song, end, length, new_id), start, end, end, new_id)
        stage.sketch.move(_numbered(song, copied, start, end, new_id), Inserted(end, length), why)
        fill_into(stage, end)
        return
    # the first time goes on where the ending would be, with the bars before it; then all but the ending again
    opened, left_out = insert_time(song, ending, length, new_id), end - ending
    filler = instead_of_ending(song, ending, end)
    copied = copy_time(opened, filler, filler + left_out, ending, new_id) if ending >= left_out else opened
    copied = copy_time(copied, start, ending, ending + left_out, new_id)
    stage.sketch.move(_ended_once(song, copied, start, end, new_id), Inserted(ending, length), why)
    fill_into(stage, end)


def _numbered(before: Song, song: Song, start: int, end: int, new_id: NewId) -> Song:
    """Copied sections get numbers, also those of which only a part comes again.

    Of a stretch within one section that section is longer.
    """
    known = {section.id for section in before.sections}
    host = section_at(before, end - 1)
    within_one = host is not None and host.start <= start and (host.start, host.end) != (start, end)
    sections = [section for section in song.sections if section.id in known]
    copies = [section for section in song.sections if section.id not in known]
    if within_one and host is not None:
        longer = structs.replace(host, duration=Ticks(host.duration + end - start))
        sections = [longer if section.id == host.id and host.end == end else section for section in sections]
    else:
        copies += _parts_again(before, start, end, new_id)
    return structs.replace(song, sections=tuple(numbered(before.sections, sections, copies)))


def _parts_again(before: Song, start: int, end: int, new_id: NewId) -> list[Section]:
    """Sections that lie only partly in a stretch, as they come again behind it."""
    parts = []
    for section in before.sections:
        low, high = max(section.start, start), min(section.end, end)
        if low < high and (low, high) != (section.start, section.end):
            at = Ticks(low + end - start)
            parts.append(Section(SectionId(new_id("s")), section.name, at, Ticks(high - low)))
    return parts


def _ended_once(before: Song, song: Song, start: int, end: int, new_id: NewId) -> Song:
    """The last section ends where it ended, and what comes again behind it is one of its own."""
    host = section_at(before, end - 1)
    if host is None or host.start < start:
        return _numbered(before, song, start, end, new_id)
    own = [s for s in song.sections if s.id != host.id]
    own.append(host)
    own.append(Section(SectionId(new_id("s")), host.name, Ticks(host.start + end - start), host.duration))
    song = structs.replace(song, sections=tuple(sorted(own, key=lambda s: (s.start, s.id))))
    return _numbered(before, song, start, end, new_id)


def fill_into(stage: Stage, at: int, following: int | None = None) -> None:
    """Put a drum fill before the tick `at`, in kits that play both before it and at `following` (None: at `at`)."""
    following = at if following is None else following
    roles, song = stage.roles(), stage.song
    bar = bar_before(song, at)
    begin = at - min(4 * STEP, bar // 2)
    for track in stage.sketch.free_tracks():
        if roles[track.id] != "drums":
            continue
        beat = taken(track, at - bar, at)
        if not beat or not taken(track, following, following + bar):
            continue
        usual = taken(track, max(0, at - 4 * bar), at)
        new = within(filled(beat, usual, begin, at), begin, at)
        kept: list[Tone] = [tone for tone in beat if tone.start >= begin and tone.start < begin]

        def lead_over(tones: list[Tone], _clip: object, new: list[Tone] = new, kept: list[Tone] = kept) -> list[Tone]:
            return [*(t for t in tones if t.start < begin), *kept, *new]

        stage.sketch.each_clip(track, [(begin, at)], lead_over, "with a fill", "leads into the second time")


def bar_before(song: Song, at: int) -> int:
    """The length in ticks of the bar that ends at a tick."""
    return int(song.bar_map.meter_at(max(0, at - 1)).bar_length)


def bar_line(song: Song, at: int) -> int:
    """The bar line nearest to a tick; of two as near, the earlier one."""
    bar = song.bar_map.bar_at(at)
    start, end = song.bar_map.span(bar, bar)
    return int(start if at - start <= end - at else end)


def whole_bars(stage: Stage) -> list[Span]:
    """The stage's spans, moved to the nearest bar lines. Raises `Blocked` if no span is as long as a bar."""
    song = stage.song
    close = int(song.bar_map.start_of(song.bars + 1))
    spans = [(bar_line(song, start), min(close, bar_line(song, end))) for start, end in stage.spans]
    found = [span for span in spans if span[0] < span[1]]
    if not found:
        raise Blocked(msg("that is less than a bar"))
    return found


def called(song: Song, start: int, end: int) -> str:
    """The name of a stretch in sentences: its section's name, else its bars."""
    for section in song.sections:
        if (section.start, section.end) == (start, end):
            return section.name
    bars = song.bar_map
    first, last = bars.bar_at(start), bars.bar_at(end - 1)
    if first == 1 and last >= song.bars:
        return "the whole"
    return f"bar {first}" if first == last else f"bars {first}-{last}"


def _read(filled: Filled) -> tuple[Repeat, ...]:
    """As often as it is said, in all; "two more times" are three. What is to be played once is not repeated."""
    times = filled.number("times") or filled.number("number")
    more = filled.words.factor > 1
    if times == 1 and not more:
        return ()
    return (Repeat(max(2, min(_MOST, int(times or 1) + more))),)


def _read_all(_: Filled) -> tuple[Repeat, ...]:
    return (Repeat(),)


def more_bars(served: Served, _: Operation, _styles: StyleBook) -> list[Ask]:
    """An ask that the song has more bars than before."""
    return [Ask(served.words, served.rows, "bars", "higher")]


KINDS = (
    OperationKind(
        Repeat, 15, repeat,
        MappingProxyType({
            "repeat": SlotReading(_read, frozenset({"place", "span", "section", "times", "number"})),
            "repeat_all": SlotReading(_read_all),
        }), more_bars,
        moves_bars=lambda _: True,
    ),
)

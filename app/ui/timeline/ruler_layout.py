"""What stands in the upper row of the ruler: sections with their names, and flags of tempo and meter beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from msgspec import structs
from PySide6.QtCore import QRect

from agent.song.song import Section
from agent.song.time import Ticks
from app.ui.timeline.fonts import Fonts
from app.ui.timeline.marks import badge_width
from app.ui.timeline.measures import CORNER_ICON, NAME_INSET, SECTION_HEIGHT
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tools.drag import TimelineDrag
from app.ui.timeline.tools.frame import DragSectionEdge
from app.ui.timeline.tools.mark import DragMark
from app.viewmodels.plan.ghosts import Cause, Kind
from app.viewmodels.texts.places import length_in_words, place_in_words
from app.viewmodels.timeline.marks import Marker
from app.viewmodels.timeline.words import meter_in_words, tempo_in_words

SECTION_EDGE = 3
MOST_LETTERS = 60
LEAST_NAMED = 16
LENGTH_ROOM = 24
FLAG_LEAST = 20
NAME_LEAST = 44
"""Pixels that a section's name gets, if it needs them, before the flags behind it get room for their whole text."""
MORE = "…"
KIND_ICONS: dict[Kind, str] = {"changed": "swap", "removed": "eraser"}
PROHIBIT = "prohibit"


@dataclass(frozen=True)
class Flag:
    """A tempo or meter change in the ruler: the song's own has a `mark`, a proposed one a `cause`. `shown` is the text
    that fits: `text`, `brief`, or "…"."""

    at: int
    text: str
    brief: str = ""
    shown: str = ""
    icon: str = ""
    cause: Cause | None = None
    kind: Kind = "added"
    mark: Marker | None = None
    place: QRect = field(default_factory=QRect)


@dataclass(frozen=True)
class Block:
    """A section from pixel `left` to `right`; its name begins at `name_at`; `length` is its length in words, empty if
    there is no room for it."""

    section: Section
    left: int
    right: int
    name: str
    name_at: int
    length: str


@dataclass(frozen=True)
class RulerLayout:
    """Sections and flags with their places, in pixels of the ruler."""

    blocks: tuple[Block, ...] = ()
    flags: tuple[Flag, ...] = ()

    def flag_at(self, x: float, y: float) -> Flag | None:
        """The flag at pixel (x, y); None for none."""
        return next((flag for flag in self.flags if flag.place.contains(int(x), int(y))), None)

    def place_of(self, mark: Marker) -> QRect:
        """The rectangle of a mark; empty if it is not visible."""
        if mark.kind != "section":
            return next((flag.place for flag in self.flags if flag.mark == mark), QRect())
        for block in self.blocks:
            if block.section.id == mark.section:
                return QRect(block.left, 0, block.right - block.left, SECTION_HEIGHT)
        return QRect()


def lay_out(stage: TimelineContext, fonts: Fonts, width: int, drag: TimelineDrag | None = None) -> RulerLayout:
    """Lay out sections and flags over `width` pixels; a dragged one stands where it would go."""
    return _Laying(stage, fonts, width, drag).layout()


def badge_room(flag: Flag, fonts: Fonts) -> int:
    """Pixels that badge and icon of a flag take before its text."""
    badge = 0 if flag.cause is None else badge_width(str(flag.cause.number), fonts) + 2
    return badge + bool(flag.icon) * (CORNER_ICON + 2)


class _Laying:
    """Sets one after the other; a flag stands behind the name that it falls behind, and is cut before it pushes the
    next name aside."""

    def __init__(self, stage: TimelineContext, fonts: Fonts, width: int, drag: TimelineDrag | None) -> None:
        self._stage, self._fonts, self._width, self._drag = stage, fonts, width, drag
        self._taken = -1000
        self._waiting = sorted(self._flags(), key=lambda flag: flag.at)
        self._set: list[Flag] = []

    def layout(self) -> RulerLayout:
        """All of it."""
        blocks = [self._block(section, left, right) for section, left, right in self._sections()]
        self._set_flags(None, None)
        return RulerLayout(tuple(blocks), tuple(self._set))

    def _block(self, section: Section, left: int, right: int) -> Block:
        fonts = self._fonts
        self._set_flags(section.start, left)
        name_at = max(left + SECTION_EDGE, 0, self._taken) + NAME_INSET
        room = right - name_at
        flags = sum(self._breadth(flag, flag.brief or flag.text) + 2 for flag in self._waiting if flag.at < section.end)
        named = min(room - NAME_INSET, max(NAME_LEAST, room - NAME_INSET - flags))
        name = fonts.short(fonts.section, section.name, named) if room > LEAST_NAMED else ""
        if name:
            self._taken = max(self._taken, name_at + fonts.width(fonts.section, name) + NAME_INSET)
        self._set_flags(section.end, right)
        length = length_in_words(self._stage.song.bar_map, section.start, section.duration)
        fits = right - self._taken > fonts.width(fonts.ruler, length) + LENGTH_ROOM
        return Block(section, left, right, name, name_at, length if fits else "")

    def _sections(self) -> Iterator[tuple[Section, int, int]]:
        axis, drag = self._stage.axis, self._drag
        for one in self._stage.song.sections:
            start, end = one.start, one.end
            if isinstance(drag, DragSectionEdge) and drag.section == one.id:
                start, end = Ticks(drag.start), Ticks(drag.end)
            elif isinstance(drag, DragMark) and drag.begun and drag.mark.section == one.id:
                start, end = drag.to, Ticks(drag.to + one.duration)
            left, right = round(axis.x(start)), round(axis.x(end))
            if right >= 0 and left <= self._width:
                yield structs.replace(one, start=start, duration=Ticks(end - start)), left, right

    def _set_flags(self, before: int | None, end: int | None) -> None:
        """Set the flags before a tick, or all that are left; they end at a pixel, if there is one, as far as they
        can."""
        due = [flag for flag in self._waiting if before is None or flag.at < before]
        del self._waiting[: len(due)]
        for left, flag in zip(range(len(due) - 1, -1, -1), due, strict=True):
            x = max(round(self._stage.axis.x(flag.at)) + SECTION_EDGE + 1, self._taken + 2)
            room = None if end is None or self._dragged(flag.mark) else end - left * (FLAG_LEAST + 2) - x
            shown, width = self._cut(flag, room)
            self._taken = x + width
            self._set.append(replace(flag, shown=shown, place=QRect(x, 0, width, SECTION_HEIGHT)))

    def _cut(self, flag: Flag, room: int | None) -> tuple[str, int]:
        """What is said in so many pixels, and the width of the flag then."""
        for text in (flag.text, flag.brief):
            width = self._breadth(flag, text)
            if text and (room is None or width <= room):
                return text, width
        badge = badge_room(flag, self._fonts)
        return ("", badge + 2 * NAME_INSET) if badge else (MORE, FLAG_LEAST)

    def _breadth(self, flag: Flag, text: str) -> int:
        return badge_room(flag, self._fonts) + self._fonts.width(self._fonts.section, text) + 2 * NAME_INSET

    def _dragged(self, mark: Marker | None) -> bool:
        drag = self._drag
        return isinstance(drag, DragMark) and drag.begun and drag.mark == mark

    def _flags(self) -> Iterator[Flag]:
        """Changes of tempo and meter, and what the plan would make of the frame."""
        scene = self._stage.scene
        for tempo in scene.song.tempos[1:]:
            yield self._own(Marker("tempo", tempo.at), f"{tempo.bpm:g} BPM", f"{tempo.bpm:g}")
        for meter in scene.song.meters[1:]:
            yield self._own(Marker("meter", meter.at), f"{meter.beats}/{meter.unit}", "")
        if not self._stage.overlay:
            return
        for one in scene.ghosts.tempos:
            yield _proposed(one.change.at, tempo_in_words(one), one.cause, one.kind, f"{one.change.bpm:g}")
        for changed in scene.ghosts.meters:
            brief = f"{changed.change.beats}/{changed.change.unit}"
            yield _proposed(changed.change.at, meter_in_words(changed), changed.cause, changed.kind, brief)
        for made in scene.ghosts.sections:
            yield _proposed(made.section.start, made.section.name, made.cause, made.kind, "")

    def _own(self, mark: Marker, text: str, brief: str) -> Flag:
        drag = self._drag
        if not isinstance(drag, DragMark) or not self._dragged(mark):
            return Flag(mark.at, text, brief, mark=mark)
        if drag.reason:
            return Flag(drag.to, drag.reason[:MOST_LETTERS], icon=PROHIBIT, mark=mark)
        return Flag(drag.to, f"{text} · {place_in_words(self._stage.song.bar_map, drag.to)}", mark=mark)


def _proposed(at: int, text: str, cause: Cause, kind: Kind, brief: str) -> Flag:
    return Flag(at, text[:MOST_LETTERS], brief, icon=KIND_ICONS.get(kind, ""), cause=cause, kind=kind)

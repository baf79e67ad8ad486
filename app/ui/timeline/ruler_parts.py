"""The ruler as assistive programs find it: its sections, flags and the loop."""

from __future__ import annotations

from PySide6.QtCore import QRect

from app.i18n import tr
from app.ui.kit.accessibility.part import AccessiblePart
from app.ui.timeline.mark_actions import MarkActions
from app.ui.timeline.measures import BARS_TOP, LOOP_BAR, SECTION_HEIGHT
from app.ui.timeline.ruler_layout import Flag, RulerLayout
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.texts.places import bars_in_words
from app.viewmodels.timeline.marks import Marker, mark_in_words
from app.viewmodels.timeline.words import kind_in_words


def ruler_parts(laid: RulerLayout, stage: TimelineContext, actions: MarkActions) -> tuple[AccessiblePart, ...]:
    """Accessible items for the visible sections, flags and the loop, from left to right."""
    marks: list[tuple[int, AccessiblePart]] = []
    for block in laid.blocks:
        mark = Marker("section", block.section.start, block.section.id)
        place = QRect(block.left, 0, block.right - block.left, SECTION_HEIGHT)
        marks.append((block.left, _mark(stage, actions, mark, place)))
    marks += [(flag.place.x(), _flag(stage, actions, flag)) for flag in laid.flags]
    marks.sort(key=lambda one: one[0])
    state = stage.opened.playback.state.value
    parts = [part for _, part in marks]
    if state.loop is not None:
        left, right = (round(stage.axis.x(at)) for at in state.loop)
        where = bars_in_words(stage.song.bar_map, state.loop[0], state.loop[1])
        loop, on = state.loop, state.looping
        parts.append(AccessiblePart(
            "loop", "toggle", tr("Loop {bars}", bars=where), QRect(left, BARS_TOP, right - left, LOOP_BAR), on=on,
            press=lambda: stage.opened.playback.set_loop(loop, not on),
        ))
    return tuple(parts)


def _mark(stage: TimelineContext, actions: MarkActions, mark: Marker, place: QRect) -> AccessiblePart:
    words = mark_in_words(stage.song, mark)
    press = (lambda: actions.choose_section(mark)) if mark.section is not None else (lambda: actions.change_at(mark))
    return AccessiblePart(f"{mark.kind} {mark.section or mark.at}", "button", words, place, press=press)


def _flag(stage: TimelineContext, actions: MarkActions, flag: Flag) -> AccessiblePart:
    if flag.mark is not None:
        return _mark(stage, actions, flag.mark, flag.place)
    cause = flag.cause
    assert cause is not None
    words = tr("Step {number}: {what}, {kind}", number=cause.number, what=flag.text, kind=kind_in_words(flag.kind))
    return AccessiblePart(
        f"step {cause.step} {flag.at} {flag.text}", "button", words, flag.place,
        press=lambda: stage.opened.focus.step.set(cause.step),
    )

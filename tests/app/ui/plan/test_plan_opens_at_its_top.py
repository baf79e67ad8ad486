"""A plan that has just come is seen from its first row, whatever was chosen before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QScrollBar
from studios import tracks

if TYPE_CHECKING:
    Reviewed = Any

ROWS = tracks(60)


async def _proposed(one: Reviewed) -> QScrollBar:
    """The scroll bar of a long plan that was just put up."""
    await one.propose(ROWS)
    await one.settle()
    bar = one.panel.view.verticalScrollBar()
    await one.until(lambda: bar.maximum() > 0)
    return bar


def test_what_was_lit_before_does_not_scroll_a_new_plan(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        bar = await _proposed(one)
        # As a click on a ghost does; the rows of the next plan have the same ids.
        one.opened.focus.step.set("s40")
        await one.settle()
        assert bar.value() > 0
        await _proposed(one)
        assert (bar.value(), one.panel.view.step(), one.opened.focus.step.value) == (0, None, None)
        one.opened.focus.step.set("s40")
        await one.settle()
        assert bar.value() > 0

    told(story)


def test_a_plan_that_was_scrolled_does_not_scroll_the_next_one(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        bar = await _proposed(one)
        bar.setValue(bar.maximum())
        await _proposed(one)
        assert bar.value() == 0

    told(story)


def test_a_decision_leaves_the_table_where_it_is(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        bar = await _proposed(one)
        one.opened.focus.step.set("s40")
        await one.settle()
        before = bar.value()
        await one.opened.reviewing.reject(["s40"])
        await one.settle()
        assert (bar.value(), one.panel.view.step()) == (before, "s40")

    told(story)


def test_an_answer_has_the_keyboard_at_its_first_line_with_a_ring(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await _proposed(one)
        view = one.panel.view
        one.panel.activateWindow()
        await one.until(one.panel.isActiveWindow)
        place = view.visualRect(one.panel.model.index(0, 0))
        before = view.viewport().grab(place).toImage()
        one.panel.answer()
        await one.settle()
        assert view.hasFocus()
        assert view.currentIndex() == one.panel.model.index(0, 0)
        assert view.viewport().grab(place).toImage() != before
        assert (view.steps(), one.opened.focus.step.value) == ([], None)

    told(story)

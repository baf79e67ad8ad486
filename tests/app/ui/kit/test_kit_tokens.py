"""Text can be read and marks can be seen in both themes."""

from __future__ import annotations

import tomllib
from itertools import product
from pathlib import Path

import pytest

from app.ui.kit.tokens import DARK, LIGHT, TRACK_COLORS, Tokens, clip_body, clip_notes, contrast, mix, on_track

THEMES = pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
TEXT, MARK = 4.5, 3.0
STYLES = Path(__file__).parents[4] / "resources" / "styles"
DOCKS = ("canvas", "row2", "panel", "bar")
MEANINGS = ("you", "agent", "ok", "warn", "bad")


def short(tokens: Tokens, pairs: list[tuple[str, str]], least: float) -> list[tuple[str, str, float]]:
    """The pairs whose contrast is less."""
    ratios = [(a, b, contrast(getattr(tokens, a), getattr(tokens, b))) for a, b in pairs]
    return [one for one in ratios if one[2] < least]


def test_contrast_is_that_of_the_formula() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.478, abs=0.001)
    assert contrast("#FFFFFF", "#777777") == contrast("#777777", "#FFFFFF")


@THEMES
def test_text_can_be_read_on_every_surface(tokens: Tokens) -> None:
    assert not short(tokens, list(product(("t1", "t2", "t3"), (*DOCKS, "ctl", "well"))), TEXT)


@THEMES
def test_colours_with_a_meaning_can_be_read_on_docks_and_on_their_own_fill(tokens: Tokens) -> None:
    assert not short(tokens, list(product(MEANINGS, DOCKS)), TEXT)
    assert not short(tokens, [(name, f"{name}_soft") for name in MEANINGS], TEXT)
    assert not short(tokens, [("t1", f"{name}_soft") for name in MEANINGS], TEXT)
    assert not short(tokens, [("on_you", "you_fill"), ("on_agent", "agent_fill")], TEXT)


@THEMES
def test_outlines_of_boxes_and_fields_can_be_seen(tokens: Tokens) -> None:
    assert not short(tokens, list(product(("line3", "you"), (*DOCKS, "ctl", "well"))), MARK)


@THEMES
@pytest.mark.parametrize("color", TRACK_COLORS.values(), ids=TRACK_COLORS)
def test_names_and_notes_stand_out_on_every_track_colour(tokens: Tokens, color: str) -> None:
    assert round(contrast(tokens.on_track, color), 1) >= 5.0
    assert contrast(clip_notes(color, tokens), clip_body(color, tokens)) >= 2.0


@THEMES
def test_what_is_not_possible_now_looks_so_and_can_be_read(tokens: Tokens) -> None:
    assert not short(tokens, [("line3", "bar"), ("line3", "t1")], MARK)


def test_mixing_keeps_the_ends_and_weighs_each_channel() -> None:
    assert mix("#204060", "#A0C0E0", 1.0) == "#204060"
    assert mix("#204060", "#A0C0E0", 0.0) == "#A0C0E0"
    assert mix("#FF0000", "#0000FF", 0.25) == "#4000BF"


@THEMES
def test_a_name_can_be_read_on_every_colour_that_a_style_gives_its_tracks(tokens: Tokens) -> None:
    found = {
        part["color"] for path in STYLES.glob("*.toml")
        for part in tomllib.loads(path.read_text("utf-8")).get("parts", []) if "color" in part
    }
    found.update(TRACK_COLORS.values())
    assert "#4A5A78" in found
    # The best that dark and white can do on a colour between them.
    assert [color for color in found if contrast(color, on_track(color, tokens)) < 4.2] == []

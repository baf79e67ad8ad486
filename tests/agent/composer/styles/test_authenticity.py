"""Styles judged by what a player of them would name: each sign is heard in three pieces of its style."""

from __future__ import annotations

import pytest
from style_signs_bands import BANDS
from style_signs_concert import CONCERT

from agent.theory.gate import findings

SIGNS = {**BANDS, **CONCERT}
SEEDS = (1, 2, 3)


def asked(bench, style: str) -> str:
    return f"compose a {bench.styles.style(style).words[0]} piece"


@pytest.mark.parametrize(("style", "sign"), [(style, sign) for style, signs in SIGNS.items() for sign in signs])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_player_hears_what_makes_the_style(bench, style, sign, seed):
    assert SIGNS[style][sign](bench.compose(asked(bench, style), seed))


@pytest.mark.parametrize("style", SIGNS)
@pytest.mark.parametrize("seed", SEEDS)
def test_each_piece_is_sound(bench, style, seed):
    draft = bench.draft(asked(bench, style), seed=seed)
    judged = bench.review(draft, bench.nothing)
    assert judged.plan.lint == ()
    assert any(line.startswith("style:") and bench.styles.style(style).label in line for line in draft.understood)
    assert findings(judged.preview.song, bench.palette) == ()

"""Fifty pieces of each style that is judged by signs: each sign is heard, and each piece is sound."""

from __future__ import annotations

import pytest
from data_files import RESOURCES
from style_signs_bands import BANDS
from style_signs_concert import CONCERT

from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.theory.gate import findings
from app.services.library_files import read_palette
from app.services.style_files import read_styles, read_vocabulary
from tests.agent.composer.conftest import Bench

SIGNS = {**BANDS, **CONCERT}
SEEDS = 50


@pytest.fixture(scope="module")
def bench() -> Bench:
    palette = read_palette(RESOURCES)
    registry = Registry([SongService(palette)])
    return Bench(palette, read_styles(RESOURCES), read_vocabulary(RESOURCES), registry)


@pytest.mark.parametrize("style", SIGNS)
def test_every_piece_has_the_signs_of_its_style(bench, style, figures):
    missed = []
    request = f"compose a {bench.styles.style(style).words[0]} piece"
    for seed in range(1, SEEDS + 1):
        song = bench.compose(request, seed)
        missed += [(seed, sign) for sign, heard in SIGNS[style].items() if not heard(song)]
        missed += [(seed, flaw.message) for flaw in findings(song, bench.palette)]
    figures("style signs", pieces=SEEDS, missed=len(missed))
    assert not missed

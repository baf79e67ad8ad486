"""Blind rounds as regression data: what was done in full at the first try is still planned.

The human songs of the rounds are not kept here, so what was said about them is left to the next round.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from agent.plan.planning import DraftReady
from agent.song.song import Song

OURS = {
    "lofi": ("a calm lofi beat in D minor at 82 bpm, 32 bars", 11),
    "indie": (
        "an indie pop song in G major at 118 bpm with verses and choruses, with guitar, bass, drums and piano", 5,
    ),
    "cinematic": ("a slow cinematic piece in C minor, 40 bars, with strings, piano and horns", 5),
}
NAMES = {"Climax": "Summit"}
"""Sections as they were called when people spoke of them."""
CASES = [
    case
    for path in sorted(Path(__file__).with_name("rounds").glob("round_*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))
    if case["kind"] == "request" and (case["new"] or case.get("song") in OURS)
]


def of(verdict: str) -> list[Any]:
    """The requests of all rounds with a verdict."""
    return [pytest.param(case, id=case["id"]) for case in CASES if case["verdict"] == verdict]


@pytest.fixture(scope="module")
def opened(bench: Any) -> Callable[[dict[str, Any]], Song]:
    """The song on which something was said."""

    def song(case: dict[str, Any]) -> Song:
        request = OURS.get(case.get("song", ""))
        if request is None:
            return bench.nothing
        made = bench.compose(*request)
        named = (structs.replace(one, name=NAMES.get(one.name, one.name)) for one in made.sections)
        return structs.replace(made, sections=tuple(named))

    return song


@pytest.mark.parametrize("case", of("A"))
def test_what_was_done_in_full_is_still_planned(bench, opened, case):
    assert isinstance(bench.events(case["text"], opened(case), 7)[-1], DraftReady)


"""Styles whose every value is taken to its end: the composer writes a piece, or says in one error why not."""

from __future__ import annotations

import asyncio
import random
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from data_files import RESOURCES
from killing import dice

from agent.composer.composer import Composer
from agent.composer.styles import Style, StyleBook, StyleError, check_style
from agent.errors import BandleaderError
from agent.plan.bounds import MAX_NOTES
from agent.plan.planning import Brief, ClarifyingQuestion, DraftReady, PlannerEvent
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song.song import Song
from app.services.library_files import read_palette
from app.services.style_checks import faults
from app.services.style_files import read_vocabulary

STYLES = 600
PARTS = 6
MOST_SECONDS = 60.0
"""Of work on one piece, whatever else the machine does."""
REQUESTS = (
    "a zzmine song, 400 bars", "a zzmine song, 1 bar", "a zzmine song in 7/8, 64 bars", "a zzmine song",
    "a zzmine song of 10 minutes", "a zzmine song at 999 bpm", "a zzmine song, 9999999 bars",
)
NUMBERS = (0, 1, 2, 64, 127, 108, 12, 36, 999, 0.5, 1.0, 0.25, 8, 16, 19, -25, 25, -30, 6)
TEXTS = ("X" * 16, "X" * 256, "." * 16, "-" * 16, "R" * 256, "0" * 256, "i", "I " * 32, "I/3 V/5 bVII")
METERS = ([1, 8], [16, 8], [16, 2], [1, 2], [7, 8], [5, 4])


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_extreme_styles_are_composed_or_refused(part: int, figures: Callable[..., None]) -> None:
    chance, palette = dice(part), read_palette(RESOURCES)
    tools = tuple(Registry([SongService(palette)]).tools.values())
    words = read_vocabulary(RESOURCES)
    shipped = [tomllib.loads(file.read_text("utf-8")) for file in sorted((RESOURCES / "styles").glob("*.toml"))]
    ends: Counter[str] = Counter()
    slow = []
    while ends.total() < STYLES // PARTS:
        style = usable(extreme(chance.choice(shipped), chance), palette)
        if style is None:
            continue
        brief = Brief(chance.choice(REQUESTS), Song(), palette, tools, chance.randrange(5))
        began = time.process_time()
        ends[outcome(Composer(StyleBook((style,)), words), brief)] += 1
        if time.process_time() - began > MOST_SECONDS:
            slow.append((brief, style))
    figures("extreme styles", styles=ends.total(), **ends)
    assert slow == []


def outcome(composer: Composer, brief: Brief) -> str:
    async def last() -> PlannerEvent:
        return [event async for event in composer.plan(brief)][-1]

    try:
        event = asyncio.run(last())
    except BandleaderError:
        return "refused"
    assert isinstance(event, DraftReady | ClarifyingQuestion)
    if isinstance(event, ClarifyingQuestion):
        return "asked"
    lists = [step.inputs.get("notes", ()) for step in event.draft.steps]
    assert sum(len(notes) for notes in lists if isinstance(notes, list)) <= MAX_NOTES
    return "composed"


def usable(tables: dict[str, Any], palette: Any) -> Style | None:
    try:
        style = msgspec.convert(tables, Style)
        if next(faults(style, palette), None) is None:
            check_style(style)
            return style
    except (msgspec.ValidationError, StyleError):
        pass
    return None


def extreme(shipped: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    tables = deepcopy(shipped) | {"name": "mine", "words": ["zzmine"]}
    for _ in range(chance.randint(0, 2)):
        inside, key = chance.choice(list(_places(tables)))
        inside[key] = chance.choice(TEXTS if isinstance(inside[key], str) else NUMBERS)
    if chance.random() < 0.4:
        tables["meter"] = chance.choice(METERS)
    if chance.random() < 0.3:
        tables["tempo"] = chance.choice([[1, 1], [999, 999], [1, 999]])
    if chance.random() < 0.3:
        tables["chord_bars"] = chance.choice([0.25, 8, 0.3, 7.77])
    if chance.random() < 0.2:
        band, names = tables["parts"], [f"P{number}" for number in range(32)]
        tables["parts"] = [deepcopy(band[at % len(band)]) | {"name": name} for at, name in enumerate(names)]
        sections = [{"name": f"S{n}", "bars": 6, "energy": chance.random(), "parts": names} for n in range(64)]
        tables["forms"] = [{"sections": sections}]
    return tables


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        if isinstance(inner, dict | list):
            yield from _places(inner)
        elif not isinstance(inner, bool):
            yield value, key

"""Runs that people disturb - retried, skipped, taken up, cancelled, paused, by one process or two - each killed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from campaign_plans import mixed_steps, sounding_steps
from disturbing import ALONE, BY_TWO, Scene
from killing import Killing, dice
from wholeness import look

EACH = 100
Figures = Callable[..., None]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("disturbed"), mixed_steps())


@pytest.fixture(scope="module")
def sounding(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("disturbed-sound"), sounding_steps())


@pytest.mark.parametrize("scene", ALONE, ids=lambda scene: scene.__name__)
def test_a_disturbed_run_comes_to_an_end_that_holds(mixed: Killing, scene: Scene, figures: Figures) -> None:
    assert disturbed(mixed, scene, figures) == []


@pytest.mark.parametrize("scene", BY_TWO, ids=lambda scene: scene.__name__)
def test_two_programs_bring_a_run_to_an_end_that_holds(sounding: Killing, scene: Scene, figures: Figures) -> None:
    assert disturbed(sounding, scene, figures) == []


def disturbed(killing: Killing, scene: Scene, figures: Figures) -> list[str]:
    faults, told = [], Counter[str]()
    for number in range(EACH):
        at = killing.home()
        faults += [f"{number}: {fault}" for fault in scene(killing, at, dice(number))]
        told[look(at, killing.ideal).state.lower()] += 1
        told["rests"] += bool(at.rows("SELECT 1 FROM event WHERE kind = 'RUN_PAUSED'"))
        killing.end(at)
    figures(f"{scene.__name__.replace('_', ' ')}, killed", runs=EACH, **told, faults=len(faults))
    return faults

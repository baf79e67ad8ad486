"""Runs that people disturb - retried, skipped, taken up, cancelled, paused, by one process or two - each killed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from campaign_plans import mixed_steps
from disturbing import SCENES, Scene
from killing import Killing, dice
from wholeness import look

EACH = 100


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("disturbed"), mixed_steps())


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_disturbed_run_comes_to_an_end_that_holds(
    killing: Killing, scene: Scene, figures: Callable[..., None]
) -> None:
    faults, cancelled = [], 0
    for number in range(EACH):
        at = killing.home()
        faults += [f"{number}: {fault}" for fault in scene(killing, at, dice(number))]
        cancelled += look(at, killing.ideal).state == "CANCELLED"
        killing.end(at)
    figures(
        f"{scene.__name__.replace('_', ' ')}, killed", runs=EACH, completed=EACH - cancelled, cancelled=cancelled,
        faults=len(faults),
    )
    assert faults == []

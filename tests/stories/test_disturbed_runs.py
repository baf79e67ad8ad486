"""Runs that people disturb - retried, skipped, taken up, cancelled, paused, by one process or two - and kill."""

from __future__ import annotations

import pytest
from campaign_plans import mixed_steps, sounding_steps
from disturbing import ALONE, BY_TWO, Scene
from killing import Killing, dice


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("disturbed"), mixed_steps())


@pytest.fixture(scope="module")
def sounding(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("disturbed-sound"), sounding_steps())


@pytest.mark.slow
@pytest.mark.parametrize("scene", ALONE, ids=lambda scene: scene.__name__)
def test_a_disturbed_run_comes_to_an_end_that_holds(mixed: Killing, scene: Scene) -> None:
    assert scene(mixed, mixed.home(), dice(7)) == []


@pytest.mark.slow
@pytest.mark.parametrize("scene", BY_TWO, ids=lambda scene: scene.__name__)
def test_two_programs_bring_a_run_to_an_end_that_holds(sounding: Killing, scene: Scene) -> None:
    assert scene(sounding, sounding.home(), dice(7)) == []

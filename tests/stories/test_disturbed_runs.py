"""Runs that people disturb - retried, skipped, taken up, cancelled, paused, by one process or two - and kill."""

from __future__ import annotations

import pytest
from campaign_plans import mixed_steps
from disturbing import SCENES, Scene
from killing import Killing, dice


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("disturbed"), mixed_steps())


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_disturbed_run_comes_to_an_end_that_holds(killing: Killing, scene: Scene) -> None:
    assert scene(killing, killing.home(), dice(7)) == []

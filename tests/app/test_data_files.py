"""Files of data that are damaged or were made to do harm: what can be is used, the rest is told by its name."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from damaging import IN_PLACE, clear, damaged
from data_files import TOLD, DataFile, kinds, may_read_all

KINDS = ("style", "prompt", "looks", "catalogue", "instruments", "effects", "language")
SEEDS = range(8)
EACH = 4
pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, DataFile]:
    return kinds(tmp_path_factory.mktemp("data"))


@pytest.fixture
def file(files: dict[str, DataFile], kind: str) -> Iterator[DataFile]:
    yield files[kind]
    clear(files[kind].path)
    files[kind].path.write_bytes(files[kind].whole[0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_file_is_taken(file: DataFile) -> None:
    for content in file.whole:
        file.path.write_bytes(content)
        assert file.outcome() != TOLD


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_taken_or_told_of(file: DataFile, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(EACH):
        file.path.write_bytes(damaged(dice.choice(file.whole), dice))
        file.outcome()


@pytest.mark.skipif(os.name != "posix", reason="pipes, devices and rights are those of POSIX")
@pytest.mark.parametrize("put", IN_PLACE, ids=lambda put: put.__name__.strip("_"))
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_told_of_and_never_waited_for(file: DataFile, put: Callable[[Path], None]) -> None:
    if put.__name__ == "_forbidden" and may_read_all():
        pytest.skip("root may read everything")
    clear(file.path)
    put(file.path)
    # What is linked to nobody is not there, and need not be: what ships is, else the defaults.
    assert file.outcome() == TOLD or put.__name__ == "_gone"

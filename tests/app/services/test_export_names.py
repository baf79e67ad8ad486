"""Names of exported files, made from the names of songs and projects."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exchange.saving import save
from app.services.exporting import ExportFolderError, make_folder
from app.services.file_names import file_name


@pytest.mark.parametrize("name", ["con", "NUL", "Aux", "lpt1", "COM²"])
def test_names_of_devices_are_not_used(name: str) -> None:
    assert file_name(name) == f"{name} song"


@given(st.text())
@pytest.mark.parametrize("around", ["{}", "../../{}", "..\\{}", "C:{}", "{}\0x", "{}. ", "𠀀" * 60 + "{}"])
def test_a_name_stays_one_part_of_a_path_and_short(around: str, text: str) -> None:
    name = file_name(around.format(text.replace("{", "")))
    assert name
    assert Path(name).name == name
    assert len(name.encode()) <= 205
    assert not set(name) & set('/\\:\0<>"|?*.')
    assert name == name.strip()


def test_the_longest_name_that_a_disk_takes_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("𠀀" * 62 + ".mid")
    save(path, b"MThd")
    assert path.read_bytes() == b"MThd"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]

@pytest.mark.parametrize("depth", [300, 20_000])
def test_a_folder_that_lies_too_deep_is_one_clear_error(tmp_path: Path, depth: int) -> None:
    with pytest.raises(ExportFolderError, match="cannot write to") as caught:
        make_folder(tmp_path.joinpath(*["d"] * depth))
    assert "folders deep" in caught.value.why

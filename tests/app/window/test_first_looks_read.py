"""Language and size of the first frame: read from what was kept, and harmless where that is not ours."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray
from studios import paths_in

from agent.errors import BandleaderError
from app.paths import Paths
from app.ui.shell.looks import Looks, to_text
from app.window.first_looks import read_looks, write_looks
from app.window.front import zoomed


def test_looks_are_as_they_were_left(tmp_path: Path) -> None:
    paths = paths_in(tmp_path)
    wanted = Looks("light", language="pseudo", tab="mixer").living_by("light", "pseudo", 125, still=True)
    write_looks(paths, wanted)
    assert looks_in(paths) == (replace(wanted, tab="mixer"), [])
    assert (wanted.percent, wanted.still) == (125, True)


@pytest.mark.parametrize("zoom", ["", "0", "79", "201", "-100", "1e3", "99999999999", "²"])
def test_a_size_that_is_none_is_the_ordinary_one(zoom: str) -> None:
    assert Looks(zoom=zoom).percent == 100


def test_looks_of_an_older_version_keep_what_they_have(tmp_path: Path) -> None:
    paths = paths_in(tmp_path)
    write_looks(paths, Looks())
    file = next(paths.cache.glob("window.json"))
    layout = to_text(QByteArray(b"places"))
    file.write_text(json.dumps({"theme": "light", "geometry": "", "layout": layout}))
    assert looks_in(paths) == (Looks("light", "", layout), [])


@pytest.mark.parametrize("layout", ["AAAA", "x", " ", to_text(QByteArray(b"places")).replace("cG", "cH")])
def test_places_that_were_changed_since_are_named_and_the_rest_is_as_it_was_left(tmp_path: Path, layout: str) -> None:
    paths = paths_in(tmp_path)
    write_looks(paths, Looks("light", layout=layout))
    looks, (fault,) = looks_in(paths)
    assert looks == Looks("light")
    assert fault.what.endswith("window.json: layout")


@pytest.mark.parametrize(("content", "why"), [
    ('{"theme": "light", "zoom": 3}', "zoom is no text"), ("[]", "it is no table"), ("{", "Expecting"),
    ("[" * 100_000, "recursion"), (" " * 300_000, "more than 256 KB"), ("\udcff", "decode"),
])
def test_looks_that_are_damaged_are_told_of_and_those_of_a_first_start(tmp_path: Path, content: str, why: str) -> None:
    paths = paths_in(tmp_path)
    write_looks(paths, Looks("light"))
    (paths.cache / "window.json").write_text(content, errors="surrogateescape")
    looks, (fault,) = looks_in(paths)
    assert looks == Looks()
    assert "window.json" in fault.what
    assert why in fault.why


def looks_in(paths: Paths) -> tuple[Looks, list[BandleaderError]]:
    """The looks, and what was told of them."""
    told: list[BandleaderError] = []
    return read_looks(paths, told.append), told


@pytest.mark.parametrize(("percent", "factor"), [(100, None), (150, "1.5"), (80, "0.8")])
def test_the_size_is_there_for_the_application_alone(
    monkeypatch: pytest.MonkeyPatch, percent: int, factor: str | None
) -> None:
    monkeypatch.delenv("QT_SCALE_FACTOR", raising=False)
    with zoomed(percent):
        assert os.environ.get("QT_SCALE_FACTOR") == factor
    assert "QT_SCALE_FACTOR" not in os.environ
    monkeypatch.setenv("QT_SCALE_FACTOR", "3")
    with zoomed(percent):
        assert os.environ["QT_SCALE_FACTOR"] == "3"
    assert os.environ["QT_SCALE_FACTOR"] == "3"

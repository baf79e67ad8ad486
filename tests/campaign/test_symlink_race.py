"""Forty thousand tries of reading and four thousand of writing while folders are swapped for links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from swapping import NaiveDoor, reads, swapped, writes

from app.services.files.posix_door import PosixDoor

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="needs links that anyone may make")


def test_no_try_of_forty_thousand_escapes(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    with swapped(tmp_path) as root:
        read, written = reads(PosixDoor(), root, 40_000), writes(PosixDoor(), root, 4_000)
    record_property("figures", f"read: {read}; written: {written}")
    assert read.escaped == written.escaped == 0
    assert read.inside > 100
    assert read.refused > 100


def test_a_naive_door_escapes_in_as_many(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    with swapped(tmp_path) as root:
        read, written = reads(NaiveDoor(), root, 40_000), writes(NaiveDoor(), root, 4_000)  # type: ignore[arg-type]
    record_property("figures", f"naive, read: {read}; written: {written}")
    assert read.escaped > 0

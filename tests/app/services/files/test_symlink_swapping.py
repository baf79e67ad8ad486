"""No try of reading or writing leaves the allowed folder while its parts are swapped for links; the short form."""

from __future__ import annotations

from pathlib import Path

import pytest
from swapping import NaiveDoor, both_ways, reads, swapped, writes

from app.services.files.posix_door import PosixDoor

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="needs links that anyone may make")


def test_no_try_escapes(tmp_path: Path) -> None:
    with swapped(tmp_path) as root:
        read = both_ways(lambda tries: reads(PosixDoor(), root, tries), 2000)
        written = both_ways(lambda tries: writes(PosixDoor(), root, tries), 200)
    assert read.escaped == written.escaped == 0
    assert min(read.inside, read.refused, written.inside, written.refused) > 0
    assert not list(tmp_path.rglob("*.part"))


def test_the_same_test_finds_a_naive_door_out(tmp_path: Path) -> None:
    with swapped(tmp_path) as root:
        escaped = 0
        for _ in range(200):
            escaped += reads(NaiveDoor(), root, 1000).escaped  # type: ignore[arg-type]
            if escaped:
                break
    assert escaped > 0

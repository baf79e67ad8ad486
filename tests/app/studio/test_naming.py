"""Names of projects that a request makes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.studio.naming import project_name


@pytest.mark.parametrize(("request_", "name"), [
    ("a slow  song", "a slow song"),
    ("a calm lofi beat in D minor at 82 bpm, 8 bars", "a calm lofi beat in D minor at 82 bpm"),
    ("write something very slow and very quiet for the night", "write something very slow and very quiet"),
    ("x" * 60, "x" * 41),
])
def test_a_name_ends_where_a_phrase_does(request_: str, name: str) -> None:
    assert project_name(request_) == name


@given(st.text())
def test_every_request_gives_a_short_name(words: str) -> None:
    assert len(project_name(words)) <= 41
    assert bool(project_name(words)) == bool(words.split())

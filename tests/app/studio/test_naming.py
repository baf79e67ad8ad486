"""Names of projects that a request makes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.studio.naming import in_brief, project_name


@pytest.mark.parametrize(("request_", "name"), [
    ("a slow  song", "a slow song"),
    ("a calm lofi beat in D minor at 82 bpm, 8 bars", "a calm lofi beat in D minor at 82 bpm, 8 bars"),
    ("Make a lo-fi beat in F minor with a warm electric piano and vinyl air, 24 bars",
     "Make a lo-fi beat in F minor with a warm electric piano"),
    ("A calm song in C major at 82 bpm with drums, bass, electric piano and a lead",
     "A calm song in C major at 82 bpm with drums, bass"),
    ("Recompose this sequence to be more ambient and atmospheric than it was before",
     "Recompose this sequence to be more ambient"),
    ("x" * 80, "x" * 61),
])
def test_a_name_ends_where_a_phrase_does(request_: str, name: str) -> None:
    assert project_name(request_) == name


@given(st.text())
def test_every_request_gives_a_short_name(words: str) -> None:
    assert len(project_name(words)) <= 61
    assert bool(project_name(words)) == bool(words.split())


@given(st.text(), st.integers(2, 90))
def test_what_is_said_in_brief_fits_and_says_where_it_was_cut(words: str, most: int) -> None:
    line, brief = " ".join(words.split()), in_brief(words, most)
    assert len(brief) <= most
    assert brief == line or (brief.endswith("…") and line.startswith(brief[:-1]))


def test_what_is_said_in_brief_ends_behind_a_word() -> None:
    assert in_brief("drums, bass, electric piano, steel guitar", 32) == "drums, bass, electric piano…"

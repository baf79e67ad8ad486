"""Links of an answer in its words."""

from __future__ import annotations

from agent.chat.answer import BarsLink, RowLink, TrackLink
from agent.song.ids import TrackId
from app.viewmodels.chat.links import linked
from app.viewmodels.chat.telling import plain


def test_a_link_stands_in_the_words_that_name_it_else_behind_them() -> None:
    links = (BarsLink(5, 8), TrackLink(TrackId("t1"), "Bass"), RowLink("s7", 7))
    said = linked("The Bass rests in bars 5–8; Bassoon does not.", links, "answer:")
    assert said == (
        "The [Bass](answer:1) rests in [bars 5–8](answer:0); Bassoon does not.\n\n[row 7](answer:2)"
    )


def test_a_name_that_looks_like_a_link_is_only_a_name() -> None:
    name = "[x](answer:0)"
    said = linked(plain(f"{name} plays in bar 2."), (BarsLink(2, 2), TrackLink(TrackId("t1"), name)), "answer:")
    assert said == r"[\[x\]\(answer:0\)](answer:1) plays in [bar 2](answer:0)."


def test_a_name_links_the_line_that_is_about_it() -> None:
    """An instrument may be called as another track is."""
    said = linked(
        "Changed:\nRhodes: Electric piano → Slow strings\nElectric piano: 3 notes added",
        (TrackLink(TrackId("t1"), "Electric piano"),), "answer:",
    )
    assert said.endswith("\n[Electric piano](answer:0): 3 notes added")
    assert said.count("](") == 1

"""Finding words in a conversation."""

from __future__ import annotations

from agent.plan.planning import ClarifyingChoice, ClarifyingQuestion
from app.viewmodels.chat.entries import Asked, Entry, MessageEntry, PlanCard, ProblemEntry, Queued, WorkEntry
from app.viewmodels.chat.talk_search import found_in
from app.viewmodels.texts.troubles import Trouble

TALK: list[Entry] = [
    MessageEntry("you", "Make the BASS warmer", attached=("Pad",)),
    WorkEntry("Read 8 tracks", "412 notes"),
    PlanCard("warmer bass", 2, "h", ("calmer",)),
    Asked(ClarifyingQuestion("Which one?", (ClarifyingChoice("The pad", "x"),))),
    ProblemEntry(Trouble("chat", "the disk is full", "", "free some space")),
    Queued("run", "later, a bass solo", "", ""),  # type: ignore[arg-type]
]


def test_every_kind_of_entry_is_found_by_all_the_words() -> None:
    assert found_in(TALK, "bass") == (0, 2, 5)
    assert found_in(TALK, "Bass WARM") == (0, 2)
    assert found_in(TALK, "pad") == (0, 3)
    assert found_in(TALK, "412") == (1,)
    assert found_in(TALK, "space") == (4,)
    assert found_in(TALK, "bass nowhere") == ()
    assert found_in(TALK, "  ") == ()

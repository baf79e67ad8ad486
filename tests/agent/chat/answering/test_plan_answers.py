"""What the waiting plan does to a place, and to levels, is read from its preview."""

from __future__ import annotations

from chatting import context, language, part, small_song
from msgspec.structs import replace

from agent.chat.answer import Answer
from agent.chat.answering.questions import answer_question
from agent.chat.context import PlanFacts
from agent.chat.messages import About, Question
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.song.ids import SectionId, TrackId
from agent.song.song import Song

LEAD = TrackId("Lead-t")
CHORUS = (SectionId("Chorus7"),)


def asked(words: str, about: About, after: Song | None) -> Answer:
    plan = Plan((Step("s1", "edit_notes", title="Change the lead"),))
    told = context(plan=PlanFacts(plan, after))
    return answer_question(Question("plan", words, about), told, language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


def changed() -> Song:
    """The song with another last note of the lead, which is also louder."""
    lead = part("Lead", "lead_saw", [72, 74, 76, 77] * 3 + [72, 74, 76, 79], start=16, volume_db=-4.0)
    return replace(small_song(), tracks=(*small_song().tracks[:3], lead, *small_song().tracks[4:]))


def test_a_place_that_the_plan_touches() -> None:
    answer = asked("does it touch the lead in the last chorus?", About(tracks=(LEAD,), sections=CHORUS), changed())
    assert answer.text.startswith("Yes, of the notes in Lead in Chorus (bars 7–8): Lead gains 1 and loses 1")
    assert "the level of Lead (−6 dB → −4 dB)" in answer.text
    assert facts(answer)["notes changed"] == 2


def test_a_place_that_it_leaves_alone() -> None:
    untouched = asked("does it touch bar 1?", About(bars=(1, 1)), changed())
    assert untouched.text.startswith("No: in the preview no note of bar 1 changes. It does change the level of Lead")
    bass = asked("the bass in the chorus?", About(tracks=(TrackId("Bass-t"),), sections=CHORUS), changed())
    assert bass.text.startswith("No: in the preview no note of Bass in Chorus (bars 7–8) changes. Nothing is done")


def test_levels_before_and_after_and_nothing_else() -> None:
    assert asked("dB before / after per track", About(), changed()).text == "Lead: −6 dB → −4 dB"
    assert asked("dB before / after per track", About(), small_song()).text == "The plan moves no fader."


def test_without_a_preview_it_says_so() -> None:
    assert "not known without a preview" in asked("does it touch bar 1?", About(bars=(1, 1)), None).text
    assert "not known without a preview" in asked("dB before and after?", About(), None).text
    nothing = answer_question(Question("plan", "does it touch bar 1?", About(bars=(1, 1))), context(), language())
    assert nothing.text.startswith("No plan is waiting.")

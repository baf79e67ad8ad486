"""Clauses of a request in the words that the person said."""

from __future__ import annotations

from agent.plan.document import Plan
from agent.plan.plan import Clause, Step
from app.viewmodels.chat.clauses import accessible_clauses, clause_lines, clause_words, clauses_of, clauses_said

FIRST = "make it slower"
PLAN = Plan(request=f"{FIRST}. leave the tempo and frob it", clauses=(
    Clause(FIRST, 0, 14, "done", ("s1",)),
    Clause("leave the tempo", 16, 31, "done"),
    Clause("frob it", 36, 43, "told", (), "I do not know “frob”"),
), steps=(Step("s0", "set_key"), Step("s1", "set_tempo")))


def test_clauses_stand_where_the_person_wrote_them_and_no_others_do() -> None:
    said = "yes, but leave the tempo and frob it"
    found = clauses_of(said, "leave the tempo and frob it", PLAN)
    assert [said[one.start:one.end] for one in found] == ["leave the tempo", "frob it"]
    assert clauses_of("something else", "something else", PLAN) == ()


def test_what_was_not_done_is_told_in_its_own_words_with_its_reason() -> None:
    assert clause_words(PLAN.clauses[2]) == "frob it: I do not know “frob”"
    assert accessible_clauses(PLAN.clauses[1:]) == (
        "leave the tempo: in the plan. frob it: not done, I do not know “frob”."
    )


def test_every_clause_is_listed_with_the_numbers_of_its_rows() -> None:
    assert [(line.clause.text, line.rows) for line in clause_lines(PLAN)] == [
        (FIRST, (2,)), ("leave the tempo", ()), ("frob it", ()),
    ]
    whole = Plan(request=FIRST, clauses=PLAN.clauses[:1], steps=PLAN.steps)
    assert clause_lines(whole) == ()


def test_a_remark_that_was_put_in_other_words_is_marked_whole() -> None:
    plan = Plan(request=f"{FIRST}\ndifferent Flute", steps=PLAN.steps, clauses=(
        PLAN.clauses[0], Clause("different Flute", 15, 30, "done", ("s0",)),
    ))
    [one] = clauses_said("the melody is boring", plan, len(FIRST))
    assert (one.text, one.start, one.end, one.outcome) == ("the melody is boring", 0, 20, "done")

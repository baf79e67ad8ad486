"""A plan: typed steps that a planner proposes and a person decides on.

Inputs are JSON as the tools take them: times in beats, ids or references such as `{{s1.track_id}}`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field

from agent.song.locks import Lock

Json: TypeAlias = Any
"""A value that JSON can hold."""
Inputs: TypeAlias = dict[str, Json]

StepId = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,31}(?!\n)$")]
Operator = Literal["eq", "ne", "lt", "le", "gt", "ge", "in", "exists", "empty", "not_empty"]


class When(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition on an earlier result: `left` is a reference, `op` the comparison, `right` a literal."""

    left: str
    op: Operator
    right: Json = None


class Threshold(Struct, frozen=True, forbid_unknown_fields=True):
    """A fan-out fails once more than `failures` items have failed."""

    failures: Annotated[int, Meta(ge=0, le=200)]


OnError: TypeAlias = Literal["stop", "continue"] | Threshold


class Step(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One row: a tool and its exact inputs, or (`by` "model") a goal that a worker reaches by at most `max_edits`
    edits.

    `for_each` is a reference to a list: the row runs once per item. `when` is its condition, `on_error` what happens
    after a failure (None: the tool's default). `retry` is the number of further tries, `timeout` in seconds (None: the
    tool's). `after` are rows that must have succeeded before; `accept_partial` lets rows go on with the results of a
    fan-out that failed in part.
    """

    id: StepId
    tool: Annotated[str, Meta(min_length=1, max_length=120)]
    inputs: Inputs = field(default_factory=dict)
    title: str = ""
    group: str = ""
    why: str = ""
    by: Literal["exact", "model"] = "exact"
    goal: str = ""
    max_edits: Annotated[int, Meta(ge=1, le=200)] | None = None
    for_each: str | None = None
    when: When | None = None
    on_error: OnError | None = None
    """None takes the tool's own default: stop for edits, continue for reads."""
    retry: Annotated[int, Meta(ge=0, le=3)] = 0
    timeout: Annotated[float, Meta(gt=0, le=3600)] | None = None
    after: tuple[StepId, ...] = ()
    accept_partial: bool = False


class Ask(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that was asked for, the rows that serve it, and how to tell that it was met.

    `measure` names a figure of a song (agent.theory.figures); `goal` compares after with before or
    with `value`: `lower`/`higher` than before, `at_most`/`at_least` the given share of before, or `equals`.
    With `bars`, first and last of the song before, it is measured there alone; `now_bars` says where these lie
    in the song after, if elsewhere.
    """

    asked: str
    steps: tuple[StepId, ...] = ()
    measure: str = ""
    goal: Literal["lower", "higher", "at_most", "at_least", "equals", "same"] = "same"
    value: float | str | None = None
    bars: tuple[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1)]] | None = None
    now_bars: tuple[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1)]] | None = None


class Clause(Struct, frozen=True, forbid_unknown_fields=True):
    """A passage of a request, its characters `start` to `end` (not included), and what became of it.

    `done`: the rows `steps` do it (none if it is so already or asks to keep something, as `reason` tells then); `told`:
    it is not done, for the `reason`; `asked`: the planner asks back about it. `removes`: it asks for something to go
    ("without the strings"); `thins`: it asks for fewer notes ("simpler drums").
    """

    text: str
    start: Annotated[int, Meta(ge=0)] = 0
    end: Annotated[int, Meta(ge=0)] = 0
    outcome: Literal["done", "asked", "told"] = "told"
    steps: tuple[StepId, ...] = ()
    reason: str = ""
    removes: bool = False
    """Whether its words ask that something goes: only then may its rows take music away."""
    thins: bool = False
    """Whether its words ask for fewer notes, as those of simplifying, limiting and replacing do."""


class Draft(Struct, frozen=True, forbid_unknown_fields=True):
    """What a planner ends with, before it is normalised and checked.

    `normalised` are sentences about what was repaired in the planner's words, `locks` those that the request itself
    asks for, `clauses` what became of each part of the request in its order. `new_tracks`: the request asks for a new
    track, which a fence then allows.
    """

    steps: tuple[Step, ...]
    analysis: str = ""
    musical_reasoning: str = ""
    understood: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    asks: tuple[Ask, ...] = ()
    normalised: tuple[str, ...] = ()
    """What was mended in the planner's own words to make these rows, one sentence each."""
    locks: tuple[Lock, ...] = ()
    """What the request itself asked to keep; added to the locks that were given."""
    clauses: tuple[Clause, ...] = ()
    """What became of every part of the request, in its order."""
    new_tracks: bool = False
    """Whether the words of the request ask for a new track; a fence lets one be made then. No model says this."""

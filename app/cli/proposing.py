"""From a request to a plan at a terminal: who plans, what is told meanwhile, and a question's answer."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from agent.message import msg
from agent.plan.document import Plan
from agent.plan.planning import (
    ClarifyingChoice,
    ClarifyingQuestion,
    Countdown,
    PlannerEvent,
    Spent,
    StepProposed,
    StepsWithdrawn,
    Thinking,
)
from agent.review.review import Review
from agent.song.fence import parse_fence
from app.cli.errors import UsageError
from app.cli.output import Output
from app.cli.stopping import asked, somebody_there
from app.studio.models import LOCAL, Chosen
from app.studio.planning import PlanningContext
from app.studio.studio import Studio


def chosen_by(arguments: argparse.Namespace) -> Chosen | None:
    """The planner that the options name; None leaves the choice to the settings. Raises `UsageError` for options that
    do not fit together."""
    provider, model = arguments.provider, arguments.model or ""
    if provider is None and model:
        raise UsageError(
            msg("--model needs --provider"), fix=msg("name both, such as --provider anthropic --model NAME"),
        )
    if provider == LOCAL and model:
        raise UsageError(msg("the composer has no models"), fix=msg("--provider local alone, or another provider"))
    return None if provider is None else Chosen(provider, model)


def intensity_of(arguments: argparse.Namespace) -> float:
    """How far a change may go, as a share of 1; 1 if not given."""
    return 1.0 if arguments.intensity is None else arguments.intensity / 100


async def checked(plan: Plan, stage: PlanningContext, studio: Studio, output: Output) -> Review:
    """The review of a plan against the song; progress is printed on stderr."""
    with _told(studio, output):
        return await studio.planning.judge(plan, stage.song)


@contextmanager
def _told(studio: Studio, output: Output) -> Iterator[None]:
    """Within, how much of a long plan has been judged is told."""
    silence = studio.planning.checked.listen(lambda share: output.progress(share, "checking the plan"))
    try:
        yield
    finally:
        silence()
        output.clear()


async def proposed(arguments: argparse.Namespace, stage: PlanningContext, studio: Studio, output: Output) -> Review:
    """The review of a plan for the request; progress is printed on stderr. An unclear request is asked about at a
    terminal, else it raises `UsageError`."""
    chosen = await studio.planners.choice(chosen_by(arguments))
    # The composer is done before there is anything to tell.
    tell = (lambda _: None) if chosen.provider == LOCAL else _Teller(output).tell
    silence = studio.planning.events.listen(tell)
    try:
        with _told(studio, output):
            return await _proposed(arguments, stage, studio, output, chosen)
    finally:
        silence()


async def _proposed(
    arguments: argparse.Namespace, stage: PlanningContext, studio: Studio, output: Output, chosen: Chosen
) -> Review:
    """The plan of the request, or of the choice that a person picks where it is unclear."""
    request = arguments.request
    while True:
        judged = await studio.planning.propose(
            request, stage, locks=arguments.lock, seed=arguments.seed, chosen=chosen,
            intensity=intensity_of(arguments), fence=parse_fence(arguments.only, stage.song),
        )
        if isinstance(judged, Review):
            return judged
        if arguments.yes or output.json or not somebody_there():
            raise unclear(judged)
        request = (await _picked(judged, output)).request


class _Teller:
    """Planning by a model as lines of progress."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._rows = 0

    def tell(self, event: PlannerEvent) -> None:
        match event:
            case Thinking(text=text):
                self._output.note(text)
            case StepProposed(step=step):
                self._rows += 1
                self._output.progress(0.0, f"row {self._rows}: {step.title or step.tool}")
            case StepsWithdrawn():
                self._rows = 0
            case Countdown(seconds=seconds, reason=reason):
                self._output.progress(0.0, f"trying again in {seconds:.0f} s: {reason}")
            case Spent(tokens=tokens, cost=cost):
                money = "price unknown" if cost is None else f"${cost:.4f}"
                self._output.note(f"{tokens:,} tokens, {money}")
            case _:
                pass


def unclear(question: ClarifyingQuestion) -> UsageError:
    """The error for a question that nobody can answer, with the choices to type."""
    choices = "; ".join(f'"{choice.request}"' for choice in question.choices)
    return UsageError(
        question.text, why=msg("the request is unclear, and nothing has changed"),
        fix=msg("say one of: {choices}", choices=choices) if choices else msg("say it again in other words"),
    )


async def _picked(question: ClarifyingQuestion, output: Output) -> ClarifyingChoice:
    """The choice that the person at the terminal types the number of. Raises `UsageError` for anything else."""
    choices = {str(number): choice for number, choice in enumerate(question.choices, 1)}
    output.note("\n".join([question.text, *(f"{number}) {choice.label}" for number, choice in choices.items())]), "")
    answer = await asked(f"1-{len(choices)}: ")
    if answer not in choices:
        raise UsageError(msg("{answer!r:.20} is none of the choices", answer=answer), why=msg("nothing has changed"))
    return choices[answer]

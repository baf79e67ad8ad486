"""From a request to a plan at a terminal: who plans, what is told meanwhile, and a question's answer."""

from __future__ import annotations

import argparse

from agent.plan.planning import Countdown, PlannerEvent, Question, Spent, StepProposed, StepsWithdrawn, Thinking
from agent.review.review import Review
from app.cli.errors import UsageError
from app.cli.output import Output
from app.cli.stopping import asked, somebody_there
from app.studio.models import LOCAL, Chosen
from app.studio.planning import Stage
from app.studio.studio import Studio


def chosen_by(arguments: argparse.Namespace) -> Chosen | None:
    """The planner that the options name; None leaves it to the settings."""
    provider, model = arguments.provider, arguments.model or ""
    if provider is None and model:
        raise UsageError("--model needs --provider", fix="name both, such as --provider anthropic --model NAME")
    if provider == LOCAL and model:
        raise UsageError("the composer has no models", fix="--provider local alone, or another provider")
    return None if provider is None else Chosen(provider, model)


def intensity_of(arguments: argparse.Namespace) -> float:
    """How far a change goes; 1 where nothing is said."""
    return 1.0 if arguments.intensity is None else arguments.intensity / 100


async def proposed(arguments: argparse.Namespace, stage: Stage, studio: Studio, output: Output) -> Review:
    """Plan the request, telling on stderr what goes on; an unclear one is asked about where somebody is there."""
    chosen = await studio.planners.choice(chosen_by(arguments))
    # The composer is done before there is anything to tell.
    tell = (lambda _: None) if chosen.provider == LOCAL else _Teller(output).tell
    silence = studio.planning.events.listen(tell)
    try:
        return await _proposed(arguments, stage, studio, output, chosen)
    finally:
        silence()


async def _proposed(
    arguments: argparse.Namespace, stage: Stage, studio: Studio, output: Output, chosen: Chosen
) -> Review:
    judged = await studio.planning.propose(
        arguments.request, stage, locks=arguments.lock, seed=arguments.seed, take_first=arguments.yes, chosen=chosen,
        intensity=intensity_of(arguments),
    )
    if not isinstance(judged, Question):
        return judged
    choice = _chosen(judged, output)
    judged = await studio.planning.propose(
        judged.choices[choice].request, stage, locks=arguments.lock, seed=arguments.seed, take_first=True,
        chosen=chosen, intensity=intensity_of(arguments),
    )
    assert isinstance(judged, Review)
    return judged


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


def _chosen(question: Question, output: Output) -> int:
    choices = [f"{number}) {choice.label}" for number, choice in enumerate(question.choices, 1)]
    if output.json or not somebody_there():
        raise UsageError(
            question.text, why="the request is unclear",
            fix="say one of: " + "; ".join(f'"{choice.request}"' for choice in question.choices),
        )
    output.note("\n".join([question.text, *choices]), "")
    answer = asked(f"1-{len(choices)}: ")
    if not answer.isdigit() or not 1 <= int(answer) <= len(choices):
        raise UsageError(f"{answer!r:.20} is none of the choices")
    return int(answer) - 1

"""`keys`: the keys of providers of models, which no argument, log or document ever holds."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys

import msgspec
from rich.console import Console
from rich.text import Text

from agent.message import msg
from agent.session.cancellation import Cancellation
from app.cli.errors import OK, UsageError
from app.cli.fixes import typed
from app.cli.output import Output
from app.cli.stopping import somebody_there, typed_unseen
from app.studio.key_order import KeyPlace
from app.studio.models import Models
from app.studio.studio import Studio

_LONGEST = 20_000


async def keys(arguments: argparse.Namespace, studio: Studio, output: Output, _: Cancellation) -> int:
    """Store, test or delete the API key of a provider; returns the exit status."""
    provider: str = arguments.provider
    # A name that is none is refused before a person is asked for anything.
    await studio.models.settings(provider)
    match arguments.action:
        case "set":
            place = await studio.models.put_key(provider, await _given(provider))
            _show(output, provider, f"The key of {provider} is {place.said}.", place)
        case "test":
            await _test(provider, studio.models, output)
        case _:
            had = await studio.models.forget_key(provider)
            said = f"The key of {provider} is forgotten." if had else f"There was no key of {provider}."
            _show(output, provider, said, await studio.models.key_place(provider), forgotten=had)
    return OK


async def _test(provider: str, models: Models, output: Output) -> None:
    names = await models.test(provider)
    place = await models.key_place(provider)

    def human(console: Console) -> None:
        console.print(f"{provider} answers and offers {len(names)} models ({place.said}).")
        for name in names:
            console.print(f"  {name}")

    output.show({"provider": provider, "models": list(names), **_parts(place)}, human)


def _show(output: Output, provider: str, said: str, place: KeyPlace, **more: bool) -> None:
    def human(console: Console) -> None:
        console.print(said)
        if more and place.where != "none":
            console.print(f"There still is one: {place.said}.")
        if place.trouble:
            console.print(Text(f"Note: {place.trouble}.", style="yellow"))

    output.show({"provider": provider, **_parts(place), **more}, human)


def _parts(place: KeyPlace) -> dict[str, str]:
    parts: dict[str, str] = msgspec.to_builtins(place)
    return parts


async def _given(provider: str) -> str:
    """The key: typed unseen at a terminal, else the first line of stdin."""
    missing = UsageError(
        msg("no key was given"), why=msg("it is read from stdin, or asked for at a terminal"),
        fix=msg("bandleader keys set {provider}, then paste the key; or … < FILE", provider=provider),
    )
    return (await secret_given(f"Key of {provider} (it is not shown): ", missing)).strip()


async def secret_given(question: str, missing: UsageError) -> str:
    """A secret, typed without echo at a terminal, else the first line of stdin; raises `missing` if there is none."""
    if somebody_there():
        secret = await _typed(question, typed(missing.fix))
    elif sys.stdin is not None:
        secret = await asyncio.to_thread(sys.stdin.readline, _LONGEST)
    else:
        secret = ""
    if not secret.strip():
        raise missing
    return secret.removesuffix("\n").removesuffix("\r")


async def _typed(question: str, otherwise: str) -> str:
    try:
        return await typed_unseen(question)
    except getpass.GetPassWarning:
        # Where the terminal cannot hide what is typed, nothing is typed.
        raise UsageError(
            msg("it would be seen while it is typed"), why=msg("this terminal cannot hide it"),
            fix=msg("on stdin: {otherwise}", otherwise=otherwise),
        ) from None

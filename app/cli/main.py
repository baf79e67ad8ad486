"""Runs one command to its exit status. What help needs is imported here, and all else behind the command's words."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from agent.errors import BandleaderError
from agent.message import msg
from app.cli.arguments import LATER, parser
from app.cli.commands import COMMANDS
from app.cli.errors import BAD_INPUT, OK, HostError, UsageError
from app.cli.streams import flush, take_any_text
from app.signals import StopSignals


def run(words: Sequence[str], stop: StopSignals | None = None) -> int:
    """Run the command in `words` and return its exit status; every error is printed and becomes one. Without `stop` the
    caller handles signals."""
    take_any_text()
    json = "--json" in words
    try:
        arguments = _understood(words)
        if isinstance(arguments, int):
            return arguments
        return _carried_out(arguments, json, stop or StopSignals())
    except Exception as fault:
        from app.cli.output import Output

        return Output(json=json).error(_told(fault))


def _understood(words: Sequence[str]) -> argparse.Namespace | int:
    """What the words mean, or the exit status where they only asked for help."""
    if not words:
        parser().print_help(sys.stderr)
        return BAD_INPUT
    if words[0] in LATER:
        raise UsageError(
            msg("bandleader {words} is not there yet", words=words[0]), why=msg("a later version brings it"),
        )
    try:
        return parser().parse_args(words)
    except UsageError as error:
        # What does not fit may be a key, and is not repeated.
        raise _unrepeated(words) or error from None
    except SystemExit as end:
        flush()
        return int(end.code or OK)


def _carried_out(arguments: argparse.Namespace, json: bool, stop: StopSignals) -> int:
    from app.cli.output import Output

    output = Output(json=json)
    if arguments.command == "doctor":
        from app.cli.about import doctor
        from app.paths import find_paths

        return doctor(find_paths(), output)
    from app.cli.in_studio import carried_out

    return carried_out(COMMANDS[arguments.command], arguments, output, stop)


def _told(fault: Exception) -> BandleaderError:
    """The error that a person is shown for a fault; one of the program itself is reported."""
    if isinstance(fault, BandleaderError):
        return fault
    if isinstance(fault, OSError):
        place = str(fault.filename or "output")
        return HostError(
            msg("cannot use {place}", place=place), why=fault.strerror or str(fault), fix=msg("check the disk"),
        )
    import os

    from app.crash import reported, show_if_asked
    from app.paths import find_paths

    show_if_asked(fault, dict(os.environ))
    return reported(fault, find_paths().logs)


def _unrepeated(words: Sequence[str]) -> UsageError | None:
    """The error for words that could not be parsed and may contain a secret, without repeating them; None if they may
    be repeated."""
    if words[0] == "keys":
        return _keys()
    if words[0] == "machines" and any(word.startswith("--pass") or word == "password" for word in words):
        return _machines()
    if words[0] == "services" and any(word.startswith(("--env", "--tok")) for word in words):
        return _services()
    return None


def _keys() -> UsageError:
    return UsageError(
        msg("keys takes set, test or forget, and a provider"),
        why=msg("a key itself is never given as an argument, where other programs could read it"),
        fix=msg("bandleader keys set anthropic, then paste the key; or … < FILE"),
    )


def _machines() -> UsageError:
    return UsageError(
        msg("these words do not fit together"),
        why=msg("a password is never given as an argument, where other programs could read it"),
        fix=msg("bandleader machines add NAME --address HOST --user U --password, then type it; or … < FILE"),
    )


def _services() -> UsageError:
    return UsageError(
        msg("these words do not fit together"), why=msg("they are not repeated, because a secret may be among them"),
        fix=msg("bandleader services add NAME --command 'PROGRAM ARGUMENTS…' [--env VARIABLE], or --url URL [--token]"),
    )

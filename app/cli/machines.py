"""`machines`: the studio's machines. A password is typed unseen or read from stdin, and kept in the keyring alone."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.errors import BandleaderError
from agent.message import msg
from agent.session.cancellation import Cancellation
from app.cli.errors import NOT_APPROVED, OK, UsageError
from app.cli.fixes import typed
from app.cli.keys import secret_given
from app.cli.output import Document, Output
from app.cli.stopping import asked, somebody_there
from app.paths import named_path
from app.studio.integrations.machines import HostKey, Machine, MachineDetails, Machines, System, default_port
from app.studio.studio import Studio


async def machines(arguments: argparse.Namespace, studio: Studio, output: Output, _: Cancellation) -> int:
    """List machines, or add, test, pin, tag or remove one. Returns the exit status."""
    door = studio.machines
    match arguments.action:
        case "add":
            return await _add(arguments, door, output)
        case "test":
            await _test(arguments.name, door, output)
        case "pin":
            return await _pin(arguments, door, output)
        case "forget":
            name = arguments.name
            await door.forget(name)
            _say(output, {"forgotten": name}, f"Machine {name} and its password are forgotten.")
        case "password":
            machine = await door.find(arguments.name)
            await door.put_password(machine.name, await _given(machine.name))
            _say(output, {"machine": machine.name, "password": "kept"}, f"The password of {machine.name} is kept.")
        case "tag":
            tagged = await door.tag(arguments.name, add=tuple(arguments.tags), remove=tuple(arguments.remove))
            _say(output, machine_shape(tagged), f"{tagged.name}: {', '.join(tagged.tags) or 'no tags'}")
        case "folders":
            add, gone_folders = tuple(arguments.folders), tuple(arguments.remove)
            kept = await door.set_folders(arguments.name, add=add, remove=gone_folders)
            _say(output, machine_shape(kept), f"{kept.name}: {', '.join(kept.details.folders) or 'no folders'}")
        case _:
            await _list(door, output)
    return OK


async def _add(arguments: argparse.Namespace, door: Machines, output: Output) -> int:
    details = MachineDetails(
        _whole(arguments.key_file), _whole(arguments.ca_file), arguments.auth, tuple(arguments.folder)
    )
    system: System = arguments.system or ("windows" if arguments.way == "winrm" else "linux")
    machine = Machine(
        arguments.name, arguments.address, arguments.port or default_port(arguments.way), arguments.user,
        arguments.way, system, tuple(arguments.tag), details=details,
    )
    # Told first what cannot be, so that nobody types a password in vain.
    door.check(machine)
    password = await _given(machine.name) if arguments.password else None
    added = await door.add(machine, password)
    note, key = "", None
    if machine.way == "ssh":
        try:
            key = await door.host_key(added.name)
        except BandleaderError as problem:
            advice = f" Try: {typed(problem.fix)}." if problem.fix else ""
            note = f"Its host key is not pinned: {problem}.{advice} Then: bandleader machines pin {added.name}"
        else:
            note = await _pinned(added, key, door, output, yes=arguments.yes)
    added = await door.find(added.name)
    document = {**machine_shape(added), **({} if key is None else key_shape(key)), "note": note}

    def human(console: Console) -> None:
        console.print(f"Machine {added.name} is added.")
        if note:
            console.print(note)

    output.show(document, human)
    return OK


async def _pinned(machine: Machine, key: HostKey, door: Machines, output: Output, *, yes: bool) -> str:
    """Pin a key that is agreed to; what to say of it."""
    output.note(f"{machine.name} shows the host key {key.fingerprint}")
    if key.pinned and not key.known:
        output.note(f"pinned is another one: {key.pinned}", "yellow")
    if not yes and (output.json or not somebody_there()):
        return f"The host key is not pinned: bandleader machines pin {machine.name} --yes"
    if not yes and (await asked("Is this the machine's own key? [y/N] ")).casefold() not in ("y", "yes"):
        return f"The host key is not pinned: compare it with the machine's, then bandleader machines pin {machine.name}"
    await door.pin(machine.name, key)
    return f"The host key {key.fingerprint} is pinned."


async def _pin(arguments: argparse.Namespace, door: Machines, output: Output) -> int:
    machine = await door.find(arguments.name)
    key = await door.host_key(machine.name)
    note = await _pinned(machine, key, door, output, yes=arguments.yes)
    now = await door.find(machine.name)
    pinned = now.host_key == key.key
    _say(output, {"machine": machine.name, **key_shape(key), "pinned": pinned, "note": note}, note)
    return OK if pinned else NOT_APPROVED


async def _test(name: str, door: Machines, output: Output) -> None:
    answer = await door.test(name)
    said = f"Machine {name} answers: {answer.free / 1e9:.1f} of {answer.size / 1e9:.1f} GB free on {answer.volume}."
    _say(output, answer.document, said)


async def _list(door: Machines, output: Output) -> None:
    found = await door.all()

    def human(console: Console) -> None:
        if not found.machines and not found.damaged:
            console.print("No machines. Add one: bandleader machines add NAME --address HOST --user U --password")
            return
        table = Table(box=None, header_style="dim", padding=(0, 1))
        for head in ("name", "address", "user", "way", "system", "tags", "host key"):
            table.add_column(head)
        for one in found.machines:
            pinned = "" if one.way == "winrm" else "pinned" if one.host_key else "not pinned"
            where = f"{one.address}:{one.port}"
            table.add_row(*map(Text, (one.name, where, one.user, one.way, one.system, ", ".join(one.tags), pinned)))
        if found.machines:
            console.print(table)
        for problem in found.damaged.values():
            console.print(Text(problem, "yellow"))

    machines_shape = [machine_shape(one) for one in found.machines]
    output.show({"machines": machines_shape, "damaged": dict(found.damaged)}, human)


def _say(output: Output, document: Document, said: str) -> None:
    output.show(document, lambda console: console.print(said))


def _whole(path: str | None) -> str:
    return str(named_path(path).absolute()) if path else ""


async def _given(name: str) -> str:
    """The password: typed unseen at a terminal, else the first line of stdin, as it is."""
    missing = UsageError(
        msg("no password was given"), why=msg("it is read from stdin, or asked for at a terminal"),
        fix=msg("bandleader machines password {name}, then type it; or … < FILE", name=name),
    )
    return await secret_given(f"Password of {name} (it is not shown): ", missing)


def machine_shape(machine: Machine) -> Document:
    """A machine without its host key; the key's fingerprint is in the document of `pin`."""
    return {
        "name": machine.name, "address": machine.address, "port": machine.port, "user": machine.user,
        "way": machine.way, "system": machine.system, "tags": list(machine.tags),
        "host_key_pinned": machine.host_key is not None, "folders": list(machine.details.folders),
        "created": machine.created,
    }


def key_shape(key: HostKey) -> Document:
    """The host key that a machine presents."""
    return {"fingerprint": key.fingerprint, "known": key.known}

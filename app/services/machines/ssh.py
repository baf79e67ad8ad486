"""SSH: one command on one machine, with exactly what the inventory says, and nothing of this computer's settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from agent.fixes import FixKind
from agent.message import msg
from app.paths import named_path
from app.services.machines.commands import RemoteCommand
from app.services.machines.errors import MachineError, MachineRefuses, NotAnswering, library
from app.storage.machines import Machine

if TYPE_CHECKING:
    import asyncssh

CONNECT_SECONDS = 10.0
LOGIN_SECONDS = 15.0
MOST_BYTES = 4 * 1024 * 1024
"""Most bytes of an answer; no real one comes near."""
_KINDS = (
    "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "rsa-sha2-512", "rsa-sha2-256",
)
"""Accepted types of host keys: no certificates, and no outdated signatures."""
_NOT_FOUND = 127
_LONGEST_KEY_FILE = 64 * 1024


async def host_key(machine: Machine) -> str:
    """The public key that a machine presents, without logging in. Raises `MachineError`."""
    ssh = await _library()
    try:
        async with asyncio.timeout(CONNECT_SECONDS + LOGIN_SECONDS):
            key = await ssh.get_server_host_key(machine.address, machine.port, config=None, server_host_key_algs=_KINDS)
    except (TimeoutError, OSError, ssh.Error) as problem:
        raise _told(machine, problem, ssh) from None
    if key is None:
        raise MachineError(
            msg("machine {machine} shows no host key", machine=machine.name), why=msg("it may not speak SSH"),
        )
    return str(key.export_public_key("openssh").decode("ascii").strip())


async def fingerprint(public_key: str) -> str:
    """The SHA-256 fingerprint of a pinned key, as `ssh-keygen -lf` shows it; "unreadable" for what is no key."""
    ssh = await _library()
    try:
        return str(ssh.import_public_key(public_key).get_fingerprint("sha256"))
    except ssh.KeyImportError:
        return "unreadable"


async def run(machine: Machine, command: RemoteCommand, password: str | None, seconds: float) -> str:
    """The output of a command on a machine, within `seconds`; `password` is that of the machine or of its key file,
    None for none. Raises `MachineError`."""
    ssh = await _library()
    try:
        async with asyncio.timeout(seconds), _connected(ssh, machine, password) as connection:
            return await _answer(ssh, connection, machine, command)
    except (TimeoutError, OSError, ssh.Error) as problem:
        raise _told(machine, problem, ssh) from None


async def _library() -> Any:
    return await asyncio.to_thread(library, "asyncssh")


@asynccontextmanager
async def _connected(
    ssh: Any, machine: Machine, password: str | None
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    if machine.host_key is None:
        raise MachineRefuses(
            msg("the host key of machine {machine} is not pinned", machine=machine.name),
            why=msg("without it, anybody could be at its address"), fix=FixKind.PIN_MACHINE(machine.name),
        )
    try:
        pinned = ssh.import_public_key(machine.host_key)
    except ssh.KeyImportError:
        raise MachineRefuses(
            msg("the pinned host key of machine {machine} cannot be read", machine=machine.name),
            why=msg("what is stored of it is damaged"), fix=FixKind.PIN_MACHINE(machine.name),
        ) from None
    with_key = bool(machine.details.key_file)
    keys = [await asyncio.to_thread(_own_key, ssh, machine, password)] if with_key else None
    connection = await ssh.connect(
        machine.address, machine.port, config=None, known_hosts=([pinned], [], []),
        server_host_key_algs=_kinds(pinned), username=machine.user,
        # None is "no key at all"; an empty list would be every key of this computer.
        client_keys=keys, password=None if with_key else password, agent_path=None, agent_forwarding=False,
        preferred_auth="publickey" if with_key else "password,keyboard-interactive", gss_host=None, gss_kex=False,
        gss_auth=False, x509_trusted_certs=None, pkcs11_provider=None, connect_timeout=CONNECT_SECONDS,
        login_timeout=LOGIN_SECONDS, client_version="Bandleader",
    )
    try:
        yield connection
    finally:
        # Not closed in peace: a machine that hangs would have to agree.
        connection.abort()


def _kinds(pinned: Any) -> list[str]:
    """The pinned kind of key first; without the others, a machine that was set up anew would only hang up."""
    own = [name.decode("ascii") for name in pinned.sig_algorithms]
    wanted = [kind for kind in _KINDS if kind in own] or own
    return [*wanted, *(kind for kind in _KINDS if kind not in wanted)]


def _own_key(ssh: Any, machine: Machine, passphrase: str | None) -> Any:
    """The private key of a machine's key file."""
    path = named_path(machine.details.key_file)
    try:
        with path.open("rb") as file:
            data = file.read(_LONGEST_KEY_FILE)
        return ssh.import_private_key(data, passphrase)
    except OSError as problem:
        raise MachineRefuses(
            msg("cannot read the key file of machine {machine}", machine=machine.name),
            why=msg("{path}: {strerror}", path=path, strerror=problem.strerror),
            fix=msg("bring it back, or add the machine again with another"),
        ) from None
    except (ssh.KeyImportError, ssh.KeyEncryptionError, ValueError):
        # The reason is not told: a library's text about a key might hold a part of it.
        why = "it is no private key" if passphrase is None else "it is no private key, or the passphrase is another"
        raise MachineRefuses(
            msg("cannot use the key file of machine {machine}", machine=machine.name),
            why=msg("{why}, or needs one", why=why) if passphrase is None else why,
            fix=FixKind.GIVE_MACHINE_PASSWORD(machine.name),
        ) from None


async def _answer(ssh: Any, connection: asyncssh.SSHClientConnection, machine: Machine, command: RemoteCommand) -> str:
    process = await connection.create_process(command.line, encoding=None, stderr=ssh.DEVNULL)
    # One that has ended by now takes nothing more; what it said is read all the same.
    with suppress(BrokenPipeError):
        if command.stdin:
            process.stdin.write(command.stdin.encode("utf-8"))
        process.stdin.write_eof()
    said = bytearray()
    while piece := await process.stdout.read(65536):
        said += piece
        if len(said) > MOST_BYTES:
            raise MachineError(
                msg("machine {machine} says too much", machine=machine.name),
                why=msg("more than {most_bytes:,} bytes came", most_bytes=MOST_BYTES),
            )
    await process.wait_closed()
    if process.exit_status is None or process.exit_signal is not None:
        raise MachineError(
            msg("the command on machine {machine} was ended from outside", machine=machine.name),
            why=msg("the machine told no exit status"), fix=msg("look at the machine, then try again"),
        )
    if process.exit_status != 0:
        missing = process.exit_status == _NOT_FOUND
        raise MachineError(
            msg("the command on machine {machine} failed", machine=machine.name),
            why=msg("its exit status is {exit_status}", exit_status=process.exit_status),
            fix=(
                msg("check that the machine's system is {system}", system=machine.system) if missing
                else msg("look at the machine")
            ),
        )
    return said.decode("utf-8", "replace")


def _told(machine: Machine, problem: Exception, ssh: Any) -> MachineError:
    """The error of a connection; the words of the other side are not repeated."""
    where = f"{machine.address} port {machine.port}"
    if isinstance(problem, TimeoutError):
        return NotAnswering(msg("machine {machine} does not answer in time", machine=machine.name), why=where)
    if isinstance(problem, ssh.HostKeyNotVerifiable | ssh.KeyExchangeFailed):
        return MachineRefuses(
            msg("machine {machine} shows another host key than the one that was pinned", machine=machine.name),
            why=msg("somebody else may be at its address, or it was set up anew"),
            fix=FixKind.PIN_MACHINE_AGAIN(machine.name),
        )
    if isinstance(problem, ssh.PermissionDenied):
        kind = "key" if machine.details.key_file else "password"
        return MachineRefuses(
            msg("machine {machine} does not let {user} in", machine=machine.name, user=machine.user),
            why=msg("it does not take the {kind}", kind=kind),
            fix=FixKind.GIVE_MACHINE_PASSWORD(machine.name) if kind == "password" else msg("check the machine's keys"),
        )
    if isinstance(problem, ssh.ConnectionLost | ConnectionError):
        return NotAnswering(
            msg("machine {machine} cannot be reached", machine=machine.name),
            why=msg("{where}: {problem}", where=where, problem=_reason(problem)),
        )
    if isinstance(problem, OSError):
        return NotAnswering(
            msg("machine {machine} cannot be reached", machine=machine.name),
            why=msg("{where}: {problem}", where=where, problem=_reason(problem)),
            fix=msg("check its address and that it is on"),
        )
    return MachineError(
        msg("machine {machine} does not speak SSH as it should", machine=machine.name), why=type(problem).__name__,
    )


def _reason(problem: Exception) -> str:
    if isinstance(problem, ConnectionRefusedError):
        return "the connection was refused"
    lost = isinstance(problem, ConnectionError)  # reset, aborted or a broken pipe: which of them is a matter of moments
    if isinstance(problem, OSError) and problem.strerror and not lost:
        return problem.strerror[:120]
    return "the connection was lost"

"""WinRM: one PowerShell script on one Windows machine, always within TLS that is verified."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from agent.fixes import FixKind
from agent.message import msg
from app.services.machines.aside import aside
from app.services.machines.errors import MachineError, MachineRefuses, NotAnswering, library
from app.storage.machines import Machine

CONNECT_SECONDS = 10
ANSWER_SECONDS = 40
"""Time limit for one response; longer than the 20 s after which a machine reports that it is still working."""
MOST_BYTES = 16 * 1024 * 1024
"""Most bytes of all responses of one connection, which wraps each line in much XML."""


async def run(machine: Machine, script: str, password: str, seconds: float) -> str:
    """The output of a PowerShell script on a machine, within `seconds`. Raises `MachineError`. When cancelled, its
    connection is closed and its thread abandoned."""
    connection = _Connection(machine, password)
    try:
        async with asyncio.timeout(seconds):
            return await aside(lambda: connection.run(script), f"machine {machine.name}")
    except TimeoutError:
        raise NotAnswering(
            msg("machine {machine} does not answer in time", machine=machine.name),
            why=msg("{address} port {port}", address=machine.address, port=machine.port),
        ) from None
    finally:
        connection.cut()


class _Connection:
    """A connection for one script, used in a thread of its own and cut from outside."""

    def __init__(self, machine: Machine, password: str) -> None:
        self._machine = machine
        self._password = password
        self._cut = threading.Event()
        self._close: Callable[[], None] = lambda: None
        self._came = 0

    def cut(self) -> None:
        """Let go of it: what the thread does next with it fails."""
        self._cut.set()
        with suppress(Exception):
            self._close()

    def run(self, script: str) -> str:
        """Run the script and wait for it."""
        library("pypsrp")
        from pypsrp.exceptions import AuthenticationError, WinRMError, WinRMTransportError, WSManFaultError
        from requests import RequestException

        try:
            return self._said(script)
        except MachineError:
            raise
        except AuthenticationError:
            raise MachineRefuses(
                msg("machine {machine} does not let {user} in", machine=self._machine.name, user=self._machine.user),
                why=msg("it does not take the password"),
                fix=FixKind.GIVE_MACHINE_PASSWORD(self._machine.name),
            ) from None
        except WSManFaultError as fault:
            raise self._error("reports a fault", f"WSMan code {fault.code}" if fault.code else "no code") from None
        except WinRMTransportError as fault:
            raise self._error("refuses", f"HTTP status {fault.code}") from None
        except UnicodeEncodeError:
            raise MachineRefuses(
                msg("the password of machine {machine} cannot be sent", machine=self._machine.name),
                why=msg("basic has no such letters"), fix=FixKind.NEGOTIATE_LOGIN(),
            ) from None
        except RequestException as problem:
            raise self._unreached(problem) from None
        except (WinRMError, Exception) as problem:
            # What the other side sends is read by a library that was not made for liars.
            raise self._error("does not speak WinRM as it should", type(problem).__name__) from None

    def _said(self, script: str) -> str:
        from pypsrp.complex_objects import PSInvocationState
        from pypsrp.powershell import PowerShell, RunspacePool
        from pypsrp.wsman import WSMan

        details = self._machine.details
        made: Any = details.ca_file or True
        with WSMan(
            self._machine.address, port=self._machine.port, username=self._machine.user, password=self._password,
            ssl=True, cert_validation=made, auth=details.auth, connection_timeout=CONNECT_SECONDS,
            read_timeout=ANSWER_SECONDS, no_proxy=True,
        ) as wsman:
            self._guard(wsman.transport)
            with RunspacePool(wsman) as pool:
                shell = PowerShell(pool)
                shell.add_script(script).add_cmdlet("Out-String").add_parameter("Stream")
                shell.begin_invoke()
                while shell.state in (PSInvocationState.NOT_STARTED, PSInvocationState.RUNNING):
                    shell.poll_invoke()
                return self._checked(shell)

    def _guard(self, transport: Any) -> None:
        """Let each answer be read piece by piece, so that none is endless and a cut is heard between two."""
        self._close, build = transport.close, transport._build_session

        def built() -> Any:
            session = build()
            session.hooks["response"].append(self._read)
            return session

        transport._build_session = built

    def _read(self, response: Any, **_: Any) -> None:
        pieces = []
        for piece in response.iter_content(65536):
            self._came += len(piece)
            if self._cut.is_set() or self._came > MOST_BYTES:
                response.close()
                raise self._error("says too much", f"more than {MOST_BYTES:,} bytes came")
            pieces.append(piece)
        response._content = b"".join(pieces)
        if self._cut.is_set():
            raise self._error("was not waited for", "the call was broken off")

    def _checked(self, shell: Any) -> str:
        from pypsrp.complex_objects import PSInvocationState

        # A script may come to its end with errors and not count as one that had any.
        if shell.had_errors or shell.streams.error or shell.state != PSInvocationState.COMPLETED:
            kinds = sorted({str(getattr(one, "fq_error", "") or "an error")[:60] for one in shell.streams.error})
            why = ascii(", ".join(kinds[:3]))[1:-1] if kinds else msg("it did not come to its end")
            raise MachineError(
                msg("the command on machine {machine} failed", machine=self._machine.name), why=why,
                fix=msg("look at the machine"),
            )
        return "\n".join(str(piece) for piece in shell.output)

    def _error(self, deed: str, why: str) -> MachineError:
        return MachineError(msg("machine {machine} {deed}", machine=self._machine.name, deed=deed), why=why)

    def _unreached(self, problem: Exception) -> MachineError:
        from requests import ConnectTimeout, ReadTimeout
        from requests.exceptions import SSLError

        name, where = self._machine.name, f"{self._machine.address} port {self._machine.port}"
        if isinstance(problem, SSLError):
            return MachineRefuses(
                msg("the certificate of machine {name} is not trusted", name=name), why=where,
                fix=FixKind.TRUST_CERTIFICATE(),
            )
        if isinstance(problem, ConnectTimeout | ReadTimeout):
            return NotAnswering(msg("machine {name} does not answer in time", name=name), why=where)
        return NotAnswering(
            msg("machine {name} cannot be reached", name=name), why=where,
            fix=msg("check its address and that WinRM listens with HTTPS"),
        )

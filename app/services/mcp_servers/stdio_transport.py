"""A server as a program of its own: started without a shell, read with a budget, ended with all it started.

The library's own transport reads lines without a limit and again from their beginning with each piece, hands on
more of the environment, and reports what is no message with all its content. Import it late.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import anyio.abc
import mcp_types
from mcp.os.posix.utilities import terminate_posix_process_tree
from mcp.shared.message import SessionMessage

from app.services.mcp_servers.bounded import crowded
from app.services.mcp_servers.ending import CloseReason
from app.services.mcp_servers.mortal import mortal
from app.services.mcp_servers.server_log import ServerLog

LONGEST_LINE = 16 * 1024 * 1024
_MOST_GARBAGE = 1024 * 1024
"""Bytes that are no messages, after which a server is ended."""
_LONG = 256 * 1024
"""Bytes from which a message is parsed in a thread."""
_PIECE = 64 * 1024
_PATIENCE = 1.0
"""Seconds that the program has to end after its input is closed, and again after it was asked to terminate."""
_GONE = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, OSError)


@asynccontextmanager
async def program(
    argv: Sequence[str], folder: str, environment: Mapping[str, str], log: ServerLog, ending: CloseReason
) -> AsyncIterator[tuple[Any, Any]]:
    """Context with the (read, write) streams to a server's program, which is ended with the context. `log` gets its
    error output, `ending` the reason why the connection was closed. Raises `OSError` if it cannot be started."""
    try:
        process = await _started(argv, folder, environment)
    except BaseException:
        log.end()
        raise
    incoming, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write_stream, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read, process.stdout, incoming, ending)
        tasks.start_soon(_write, process.stdin, outgoing, incoming)
        tasks.start_soon(_keep, process.stderr, log)
        try:
            yield read_stream, write_stream
        finally:
            with anyio.CancelScope(shield=True):
                for stream in (read_stream, write_stream):
                    stream.close()
                try:
                    await _end(process)
                except BaseException:
                    # The loop itself is ending and waits for nothing: no program may be left behind.
                    _kill(process)
                    _let_go(process)
                    raise
                finally:
                    ending.last_words = log.last
            tasks.cancel_scope.cancel()


async def _started(argv: Sequence[str], folder: str, environment: Mapping[str, str]) -> anyio.abc.Process:
    if sys.platform == "win32":
        from mcp.os.win32.utilities import create_windows_process, get_windows_executable_command

        command = get_windows_executable_command(argv[0])
        made: Any = await create_windows_process(command, list(argv[1:]), dict(environment), sys.stderr, folder or None)
        return made
    command = await asyncio.to_thread(mortal, argv, folder, environment)
    return await anyio.open_process(
        command, cwd=folder or None, env=environment, stdin=-1, stdout=-1, stderr=-1, start_new_session=True
    )


async def _read(stdout: anyio.abc.ByteReceiveStream, incoming: Any, ending: CloseReason) -> None:
    """Hand on one message a line; what is none is passed over, up to a limit."""
    garbage = 0
    async with incoming:
        with suppress(*_GONE):
            async for line in _lines(stdout, ending):
                message = await _message(line)
                if message is not None:
                    await incoming.send(SessionMessage(message))
                    continue
                if _means_an_answer(line):
                    # Whoever waits for it would wait until the time is up.
                    ending.say("it sent an answer that cannot be read")
                    return
                garbage += len(line) + 1
                if garbage > _MOST_GARBAGE:
                    ending.say("it writes what is no message on its standard output")
                    return
    ending.say("it ended or closed its output")


def _means_an_answer(line: bytes) -> bool:
    """Whether what cannot be read was to be a message with a number, rather than some line that a program prints."""
    return line.lstrip().startswith(b"{") and b'"jsonrpc"' in line and b'"id"' in line


async def _lines(stdout: anyio.abc.ByteReceiveStream, ending: CloseReason) -> AsyncIterator[bytes]:
    pieces: list[bytes] = []
    size = 0
    while True:
        piece = await stdout.receive(_PIECE)
        *whole, rest = piece.split(b"\n")
        for end in whole:
            yield b"".join((*pieces, end))
            pieces, size = [], 0
        pieces.append(rest)
        size += len(rest)
        if size > LONGEST_LINE:
            ending.say(f"it answered with more than {LONGEST_LINE // 1024**2} MB in one message")
            return


async def _message(line: bytes) -> mcp_types.JSONRPCMessage | None:
    if len(line) > _LONG:
        return await asyncio.to_thread(_parsed, line)
    return _parsed(line)


def _parsed(line: bytes) -> mcp_types.JSONRPCMessage | None:
    if crowded(line):
        return None
    try:
        return mcp_types.jsonrpc_message_adapter.validate_json(line.decode(errors="replace"), by_name=False)
    except (ValueError, RecursionError):
        return None


async def _write(stdin: anyio.abc.ByteSendStream, outgoing: Any, incoming: Any) -> None:
    try:
        async with outgoing:
            async for message in outgoing:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await stdin.send(f"{text}\n".encode())
    except _GONE:
        # Whoever waits for an answer is told that none will come.
        await incoming.aclose()


async def _keep(stderr: anyio.abc.ByteReceiveStream, log: ServerLog) -> None:
    with suppress(*_GONE):
        while True:
            log.take(await stderr.receive(_PIECE))
    log.end()


async def _end(process: anyio.abc.Process) -> None:
    """Close its input, then ask, then force: the program and all it started."""
    assert process.stdin is not None
    with suppress(*_GONE), anyio.move_on_after(_PATIENCE):
        await process.stdin.aclose()
        await _ended(process)
    if sys.platform == "win32":
        from mcp.os.win32.utilities import close_process_job, terminate_windows_process_tree

        await terminate_windows_process_tree(process)
        close_process_job(process)
    else:
        await terminate_posix_process_tree(process, _PATIENCE)
    with anyio.move_on_after(_PATIENCE):
        await _ended(process)
    _let_go(process)


def _let_go(process: anyio.abc.Process) -> None:
    # A child that left the group may hold the pipes open: nothing here waits for it.
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    if transport is not None:
        with suppress(PermissionError):
            transport.close()


def _kill(process: anyio.abc.Process) -> None:
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


async def _ended(process: anyio.abc.Process) -> None:
    while process.returncode is None:
        await anyio.sleep(0.01)



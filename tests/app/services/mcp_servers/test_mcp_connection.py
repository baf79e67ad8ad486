"""One server: called as approved, and whatever it does wrong fails its own rows and nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest
from awaiting import awaited
from mcp_servers import asking, connection, odd, service

from agent.errors import BandleaderError
from agent.fixes import FixKind
from agent.services.service import InDoubt, ServiceError, Unforeseen
from app.services.mcp_servers.address import Stdio
from app.services.mcp_servers.errors import BadServer, ChangedTool, ServerFault
from app.services.mcp_servers.mortal import mortal
from app.services.mcp_servers.opening import Patience

CANARY = "canary-9c1f-very-secret"
HASTY = Patience(begin=0.5, tell=0.5)


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path) -> Iterator[None]:
    """No server outlives its connection, in whatever way it went wrong."""
    yield
    pids = [int(pid) for started in tmp_path.rglob("started") for pid in started.read_text().split()]
    # One that was killed is gone when the system next looks at it.
    give_up = monotonic() + 5
    while (alive := [pid for pid in pids if is_alive(pid)]) and monotonic() < give_up:
        sleep(0.02)
    assert not alive


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False


@awaited
async def test_a_call_gives_texts_cleaned_of_what_is_hidden_in_them(tmp_path: Path) -> None:
    async with service(tmp_path) as odd_one:
        outcome = await odd_one.call(asking("say", text="hello"))
        assert outcome.result == {"text": "hello"}
        assert outcome.edits == ()


@awaited
async def test_structured_content_is_kept_and_pictures_are_told_by_kind_and_size(tmp_path: Path) -> None:
    async with service(tmp_path, "structured") as odd_one:
        said = await odd_one.call(asking("say", text="hello"))
        assert said.result == {"text": "hello", "structured": {"again": "hello"}}
        shown = await odd_one.call(asking("picture"))
        assert shown.result == {"text": "", "items": [{"kind": "image", "type": "image/png", "bytes": 3}]}


@awaited
async def test_nothing_is_started_before_the_first_call_and_one_program_serves_all(tmp_path: Path) -> None:
    to = connection(tmp_path, odd(tmp_path))
    assert not (tmp_path / "started").exists()
    await to.tools()
    await to.tools()
    await to.close()
    assert len((tmp_path / "started").read_text().split()) == 1


@awaited
async def test_planning_asks_the_server_nothing(tmp_path: Path) -> None:
    async with service(tmp_path) as odd_one:
        with pytest.raises(Unforeseen):
            odd_one.foresee(asking("say", text="hello"))
    assert not list(tmp_path.glob("call-*"))


@awaited
async def test_an_error_of_the_server_is_the_rows_error_in_its_cleaned_words(tmp_path: Path) -> None:
    async with service(tmp_path) as odd_one:
        with pytest.raises(ServiceError) as problem:
            await odd_one.call(asking("fails"))
        assert problem.value.why == "the disk is full[31m"
        assert not problem.value.transient
        assert not isinstance(problem.value, InDoubt)


@pytest.mark.parametrize(("tool", "why"), [
    ("dies", "it ended"), ("garbage", "no message"), ("closes", "closed its output"), ("huge", "more than 16 MB"),
    ("nested", "cannot be read"),
])
@awaited
async def test_an_answer_that_never_comes_is_in_doubt_and_the_next_call_works(
    tmp_path: Path, tool: str, why: str
) -> None:
    async with service(tmp_path) as odd_one:
        with pytest.raises(InDoubt) as doubt:
            await odd_one.call(asking(tool))
        assert why in doubt.value.why
        assert (await odd_one.call(asking("say", text="again"))).result == {"text": "again"}
        assert len((tmp_path / "started").read_text().split()) == 2


@awaited
async def test_what_a_server_says_of_an_error_takes_one_line(tmp_path: Path) -> None:
    async with service(tmp_path) as odd_one:
        with pytest.raises(ServiceError) as refusal:
            await odd_one.call(asking("refuses"))
    assert refusal.value.why == "no hash 0000 run r1 COMPLETED"


@awaited
async def test_calls_under_way_beside_one_that_kills_the_server_end_too(tmp_path: Path) -> None:
    async with service(tmp_path) as odd_one:
        slow = asyncio.create_task(odd_one.call(asking("slow")))
        while not list(tmp_path.glob("call-*-slow")):
            await asyncio.sleep(0.01)
        with pytest.raises(InDoubt):
            await odd_one.call(asking("dies"))
        with pytest.raises(InDoubt):
            await slow


@awaited
async def test_a_cancelled_call_is_told_to_the_server_and_the_connection_stays(tmp_path: Path) -> None:
    async with service(tmp_path) as odd_one:
        slow = asyncio.create_task(odd_one.call(asking("slow")))
        while not list(tmp_path.glob("call-*-slow")):
            await asyncio.sleep(0.01)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        assert (await odd_one.call(asking("say", text="still here"))).result == {"text": "still here"}
        assert "requestId" in json.loads((tmp_path / "cancelled").read_text())
        assert len((tmp_path / "started").read_text().split()) == 1


@awaited
async def test_a_call_that_the_server_does_not_even_read_is_cancelled_soon(tmp_path: Path) -> None:
    async with service(tmp_path, "deaf") as odd_one:
        # More than the pipe takes, so that the word of the cancel cannot be sent either.
        unread = asyncio.create_task(odd_one.call(asking("say", text="x" * 1_000_000)))
        while not (tmp_path / "lists").exists() or len((tmp_path / "lists").read_text()) < 2:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        unread.cancel()
        ended, _ = await asyncio.wait((unread,), timeout=3)
        assert ended, "the library alone would wait for 5 s"


@awaited
async def test_a_server_that_hangs_is_replaced_by_a_new_one(tmp_path: Path) -> None:
    async with service(tmp_path, patience=Patience(tell=1.0, end=0.1)) as odd_one:
        stuck = asyncio.create_task(odd_one.call(asking("stuck")))
        while not list(tmp_path.glob("call-*-stuck")):
            await asyncio.sleep(0.01)
        stuck.cancel()
        with suppress(asyncio.CancelledError):
            await stuck
        assert (await odd_one.call(asking("say", text="new"))).result == {"text": "new"}
        assert len((tmp_path / "started").read_text().split()) == 2


@awaited
async def test_one_that_never_begins_to_speak_is_a_fault_before_any_call(tmp_path: Path) -> None:
    to = connection(tmp_path, odd(tmp_path, "silent"), patience=HASTY)
    with pytest.raises(ServerFault, match="cannot be started") as fault:
        await to.tools()
    assert fault.value.transient
    await to.close()


@pytest.mark.parametrize("argv", [("/no/such/program",), (), ("/etc/passwd",)])
@awaited
async def test_one_that_cannot_be_started_says_why(tmp_path: Path, argv: tuple[str, ...]) -> None:
    to = connection(tmp_path, Stdio(argv) if argv else odd(tmp_path, "refuses"))
    with pytest.raises(ServerFault) as fault:
        await to.tools()
    assert "log" in fault.value.advice
    if argv == ():
        assert "cannot start" in (tmp_path / "server.log").read_text()
        assert "its last words: " in fault.value.why
        assert "cannot start" in fault.value.why


@awaited
async def test_one_that_declines_to_begin_is_quoted(tmp_path: Path) -> None:
    to = connection(tmp_path, odd(tmp_path, "declines"))
    with pytest.raises(ServerFault) as fault:
        await to.tools()
    assert "no licence is left" in fault.value.why


@awaited
async def test_what_it_prints_besides_is_passed_over_and_its_log_is_capped(tmp_path: Path) -> None:
    async with service(tmp_path, "noisy", secrets={"CANARY": CANARY}, secret=("CANARY",)) as odd_one:
        assert (await odd_one.call(asking("say", text="x"))).result == {"text": "x"}
    log = (tmp_path / "server.log").read_bytes()
    assert b"key \xe2\x80\xa2" in log
    assert CANARY.encode() not in log
    assert len(log) < 300_000


@awaited
async def test_it_gets_its_own_secret_and_nothing_of_the_environment_that_was_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-not-for-it")
    monkeypatch.setenv("NAMED", "handed on")
    given = {"secret": ("CANARY",), "taken": ("NAMED",), "given": {"MODE": "fast"}}
    async with service(tmp_path, secrets={"CANARY": CANARY}, **given) as odd_one:
        await odd_one.call(asking("say"))
    seen = json.loads((tmp_path / "environment").read_text())
    assert seen["CANARY"] == CANARY
    assert (seen["NAMED"], seen["MODE"]) == ("handed on", "fast")
    assert "ANTHROPIC_API_KEY" not in seen
    assert "BANDLEADER_HOME" not in seen


@awaited
async def test_a_secret_that_it_gives_back_is_taken_out(tmp_path: Path) -> None:
    async with service(tmp_path, secrets={"CANARY": CANARY}, secret=("CANARY",)) as odd_one:
        assert (await odd_one.call(asking("say", text="canary"))).result == {"text": "•••"}
        with pytest.raises(ServiceError) as problem:
            await odd_one.call(asking("fails"))
        assert CANARY not in f"{problem.value} {problem.value.why}"


@awaited
async def test_a_variable_or_secret_that_is_missing_is_named(tmp_path: Path) -> None:
    for address in (odd(tmp_path, taken=("NOT_SET_HERE",)), odd(tmp_path, secret=("NOT_SET_HERE",))):
        with pytest.raises(BadServer, match="NOT_SET_HERE"):
            await connection(tmp_path, address).tools()
    assert not (tmp_path / "started").exists()


@awaited
async def test_a_description_that_changes_after_the_first_call_is_caught_before_the_second(tmp_path: Path) -> None:
    async with service(tmp_path, "changes") as odd_one:
        await odd_one.call(asking("say", text="one"))
        with pytest.raises(ChangedTool, match="its description changed since you approved it") as caught:
            await odd_one.call(asking("say", text="two"))
        assert caught.value.fix == FixKind.APPROVE_SERVER("odd")
        assert (await odd_one.call(asking("picture"))).result
        assert [one.name for one in sorted(tmp_path.glob("call-*"))] == ["call-000-say", "call-001-picture"]


@awaited
async def test_a_tool_that_vanished_is_refused_and_one_that_is_new_is_not_offered(tmp_path: Path) -> None:
    async with service(tmp_path, "vanishes") as odd_one:
        await odd_one.call(asking("say"))
        with pytest.raises(ChangedTool, match="no longer has the tool say"):
            await odd_one.call(asking("say"))
    (grown := tmp_path / "grows").mkdir()
    async with service(grown, "grows") as odd_one:
        await odd_one.call(asking("say"))
        await odd_one.call(asking("say"))
        assert "odd__new" not in {tool.name for tool in odd_one.tools}


@awaited
async def test_questions_of_a_server_are_declined(tmp_path: Path) -> None:
    async with service(tmp_path) as odd_one:
        outcome = await odd_one.call(asking("asks"))
        assert json.loads(outcome.result["text"]) == [True, True, True]


@awaited
async def test_progress_is_told_cleaned(tmp_path: Path) -> None:
    told: list[tuple[float, str]] = []
    async with service(tmp_path) as odd_one:
        call = asking("progress")
        await odd_one.call(type(call)(
            call.tool, call.inputs, call.song, call.origin, progress=lambda share, what: told.append((share, what))
        ))
    assert told == [(0.25, "aquarter")]


@awaited
async def test_the_program_and_what_it_started_end_with_the_connection(tmp_path: Path) -> None:
    async with service(tmp_path, "child", "stays") as odd_one:
        await odd_one.call(asking("say"))
        pids = [int((tmp_path / "child").read_text()), int((tmp_path / "started").read_text())]
        assert all(map(is_alive, pids))
    assert not any(map(is_alive, pids))


def test_a_loop_that_ends_without_closing_leaves_no_program_behind(tmp_path: Path) -> None:
    @awaited
    async def unclosed() -> None:
        to = connection(tmp_path, odd(tmp_path, "stays"), patience=Patience(idle=0.05))
        await to.tools()
        # It is being ended, which takes a while, when the loop goes.
        await asyncio.sleep(0.3)

    unclosed()


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("setpriv") is None, reason="the system cannot do this")
def test_a_server_that_hangs_does_not_outlive_a_program_that_was_killed(tmp_path: Path) -> None:
    story = """
import asyncio, sys
from pathlib import Path
from mcp_servers import asking, odd, service

async def main():
    folder = Path(sys.argv[1])
    async with service(folder, "stays") as odd_one:
        await odd_one.call(asking("stuck"))

asyncio.run(main())
"""
    places = os.pathsep.join([str(Path(__file__).parents[4]), str(Path(__file__).parents[3] / "support")])
    ours = subprocess.Popen([sys.executable, "-c", story, str(tmp_path)], env={**os.environ, "PYTHONPATH": places})
    try:
        give_up = monotonic() + 30
        while not list(tmp_path.glob("call-*-stuck")) and ours.poll() is None and monotonic() < give_up:
            sleep(0.02)
        [pid] = map(int, (tmp_path / "started").read_text().split()[-1:])
        assert is_alive(pid)
    finally:
        ours.kill()
        ours.wait()
    # The fixture looks whether it is gone.


@pytest.mark.parametrize("folder", ["", "/", "/no/such/folder"])
def test_a_program_that_is_not_there_is_started_as_it_is_for_its_own_error(folder: str) -> None:
    for name in ("no-such-program", "./no-such-program", "/no/such/program"):
        assert mortal((name, "x"), folder, {"PATH": os.environ["PATH"]}) == [name, "x"]


@awaited
async def test_it_is_let_go_when_nobody_asks_for_long(tmp_path: Path) -> None:
    async with service(tmp_path, patience=Patience(idle=0.05)) as odd_one:
        await odd_one.call(asking("say"))
        # on a slow machine it may have been let go before it was asked, and started again
        begun = [int(pid) for pid in (tmp_path / "started").read_text().split()]
        while any(map(is_alive, begun)):
            await asyncio.sleep(0.02)
        assert (await odd_one.call(asking("say", text="back"))).result == {"text": "back"}


@awaited
async def test_calls_side_by_side_share_one_program(tmp_path: Path) -> None:
    async with service(tmp_path) as odd_one:
        await odd_one.close()
        (tmp_path / "started").unlink()
        outcomes = await asyncio.gather(*(odd_one.call(asking("say", text=str(n))) for n in range(4)))
        assert [one.result["text"] for one in outcomes] == ["0", "1", "2", "3"]
        assert len((tmp_path / "started").read_text().split()) == 1


def test_a_connection_can_be_used_by_one_loop_after_the_other(tmp_path: Path) -> None:
    to = connection(tmp_path, odd(tmp_path))
    for _ in range(2):
        async def once() -> None:
            assert await to.tools()
            await to.close()

        asyncio.run(once())


@awaited
async def test_every_fault_is_one_of_ours(tmp_path: Path) -> None:
    async with service(tmp_path) as odd_one:
        for tool in ("fails", "dies", "garbage", "closes", "huge"):
            with pytest.raises(BandleaderError):
                await odd_one.call(asking(tool))


@awaited
async def test_one_that_ignores_what_it_does_not_know_is_not_waited_for(tmp_path: Path) -> None:
    # Well below the ten seconds that the library waits for an answer to a question that old servers never heard of.
    async with service(tmp_path, "ignores", patience=Patience(begin=8.0)) as odd_one:
        assert (await odd_one.call(asking("say", text="hello"))).result == {"text": "hello"}
    assert "server/discover" not in (tmp_path / "methods").read_text()


@awaited
async def test_one_that_knows_only_the_newest_protocol_is_asked_in_it_and_remembered(tmp_path: Path) -> None:
    patience = Patience(idle=0.05)
    async with service(tmp_path, "newest", patience=patience) as odd_one:
        assert (await odd_one.call(asking("say", text="hello"))).result == {"text": "hello"}
        begun = len((tmp_path / "started").read_text().split())
        await asyncio.sleep(0.3)
        assert (await odd_one.call(asking("say", text="again"))).result == {"text": "again"}
        assert len((tmp_path / "started").read_text().split()) == begun + 1, "the handshake is not tried again"

"""Signals are taken in one place: what listens is asked, then ordered, and the process ends in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from signalling import as_from_a_terminal

ROOT = Path(__file__).parents[2]
BEGIN = """
import os, signal, sys, threading, time
from app.signals import StopSignals, held_back
stop = StopSignals(130)
stop.take()
asked, ordered = threading.Event(), threading.Event()
def now(act): act()
def say(word): print(word, flush=True)
"""


def ended(program: str, *signals: signal.Signals) -> tuple[int, list[str], str]:
    """Status, lines and complaints of a program that is signalled each time it has said something."""
    child = subprocess.Popen(
        [sys.executable, "-c", BEGIN + textwrap.dedent(program)], cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, preexec_fn=as_from_a_terminal,
    )
    assert child.stdout is not None
    lines = []
    for number in signals:
        lines.append(child.stdout.readline().strip())
        os.kill(child.pid, number)
    said, complaints = child.communicate(timeout=60)
    return child.returncode, lines + said.split(), complaints


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_while_nobody_listens_a_signal_ends_the_process_at_once(by: signal.Signals) -> None:
    assert ended("say('idle'); time.sleep(60)", by) == (130, ["idle"], "")


def test_it_does_so_also_within_a_call_of_c_that_calls_python_back() -> None:
    program = """
        import msgspec
        class Part(msgspec.Struct):
            one: int
            def __post_init__(self): pass
        data = msgspec.json.encode([{"one": 1}] * 20_000)
        say("decoding")
        while True: msgspec.json.decode(data, type=list[Part])
    """
    assert ended(program, signal.SIGINT) == (130, ["decoding"], "")


def test_a_listener_is_asked_and_has_time_to_end_with_its_own_status() -> None:
    program = """
        with stop.heard_by(now, asked.set):
            say("works")
            asked.wait()
        say("closed")
        sys.exit(stop.end(5))
    """
    assert ended(program, signal.SIGTERM) == (5, ["works", "closed"], "")


def test_a_second_signal_is_an_order_and_a_third_one_ends_the_process() -> None:
    program = """
        with stop.heard_by(now, asked.set, ordered.set):
            say("works")
            asked.wait()
            time.sleep(0.4)
            say("asked")
            ordered.wait()
            time.sleep(0.4)
            say("ordered")
            time.sleep(60)
    """
    assert ended(program, *[signal.SIGINT] * 3) == (130, ["works", "asked", "ordered"], "")


def test_one_wish_that_comes_twice_is_no_order() -> None:
    program = """
        import app.signals
        app.signals._SAME = 60.0  # however busy the machine is
        with stop.heard_by(now, asked.set, lambda: say("ordered")):
            for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGHUP):
                os.kill(os.getpid(), number)
                asked.wait()
                time.sleep(0.1)
        sys.exit(stop.end(0))
    """
    assert ended(program) == (0, [], "")


def test_what_does_not_end_when_it_is_asked_is_ended() -> None:
    program = """
        with stop.heard_by(now, asked.set, lambda: say("ordered")):
            say("works")
            time.sleep(60)
    """
    assert ended(program, signal.SIGINT) == (130, ["works", "ordered"], "")


def test_what_never_hears_that_it_is_asked_is_ended() -> None:
    program = """
        with stop.heard_by(lambda act: None, asked.set):
            say("works")
            while True: pass
    """
    assert ended(program, signal.SIGINT) == (130, ["works"], "")


def test_a_signal_that_came_before_is_heard_by_who_listens_then() -> None:
    program = """
        with stop.heard_by(lambda act: None, lambda: None):
            os.kill(os.getpid(), signal.SIGTERM)
            while not stop.received: time.sleep(0.01)
            with stop.heard_by(now, asked.set): assert asked.is_set()
        sys.exit(stop.end(0))
    """
    assert ended(program) == (0, [], "")


def test_after_a_signal_no_thread_keeps_the_process() -> None:
    program = """
        threading.Thread(target=time.sleep, args=(60,)).start()
        with stop.heard_by(now, asked.set):
            say("works")
            asked.wait()
        sys.exit(stop.end(0))
    """
    assert ended(program, signal.SIGTERM) == (0, ["works"], "")


def test_a_command_that_gave_up_its_work_does_not_wait_for_the_thread_that_still_does_it() -> None:
    program = """
        import asyncio
        from agent.session.cancellation import Cancellation, WorkCancelled
        from app.cli.stopping import completed, interruptible, stoppable

        async def command(*_):
            say("works")
            await asyncio.to_thread(time.sleep, 60)

        async def carry_out():
            cancellation = Cancellation()
            with stoppable(stop, cancellation):
                return await interruptible(command)(None, None, None, cancellation)

        try:
            completed(carry_out(), stop)
        except WorkCancelled:
            say("broken_off")
        sys.exit(stop.end(130))
    """
    assert ended(program, signal.SIGINT) == (130, ["works", "broken_off"], "")


def test_at_the_end_a_signal_ends_what_is_waited_for_with_the_status_of_the_work() -> None:
    program = """
        threading.Thread(target=time.sleep, args=(60,)).start()
        say("done")
        sys.exit(stop.end(0))
    """
    status, lines, complaints = ended(program, signal.SIGTERM)
    assert (lines, complaints) == (["done"], "")
    assert status in (0, 130)  # it may come before the end was told


def test_while_the_interpreter_ends_a_signal_changes_nothing() -> None:
    program = """
        import atexit
        atexit._run_exitfuncs()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): os.kill(os.getpid(), number)
        say("over")
    """
    assert ended(program) == (0, ["over"], "")


def test_what_was_ignored_from_the_beginning_stays_ignored() -> None:
    later = BEGIN + "os.kill(os.getpid(), signal.SIGHUP); say('alive')"
    program = f"""
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.execv(sys.executable, [sys.executable, "-c", {later!r}])
    """
    assert ended(program) == (0, ["alive"], "")


def test_a_process_of_the_program_does_not_hear_them() -> None:
    program = """
        import subprocess
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        with held_back():
            child = subprocess.Popen([sys.executable, "-c", "print(input())"], stdin=-1, stdout=-1, text=True)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): os.kill(child.pid, number)
        say(child.communicate("lives")[0])
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
    """
    assert ended(program) == (0, ["lives"], "")

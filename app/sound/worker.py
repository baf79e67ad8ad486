"""Worker processes that turn parts into cache entries, so that a crash of the synthesizer stays there."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from ctypes import c_bool
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event, Lock

import msgspec

from agent.message import msg
from app.signals import held_back
from app.sound.dry_cache import DryCache
from app.sound.errors import RenderCancelledError, SoundError
from app.sound.fluid import Bank
from app.sound.part import SynthPart
from app.sound.sharing import Sound, next_part, sounds_of
from app.sound.synthesis import synthesise

_LOOK = 0.01  # seconds between two looks at the cancel token
_GRACE = 2.0  # seconds that a worker may take to stop, as while it loads the SoundFont
_STEP_BACK = 5  # how much lower its priority is


class _Job(msgspec.Struct, array_like=True):
    key: str
    part: SynthPart
    steps: int | None = None


class _Failure(msgspec.Struct, array_like=True):
    what: str
    why: str
    fix: str


def default_workers() -> int:
    """The default number of worker processes: one per core, 1 to 8; the caller waits meanwhile, so its core is free."""
    return max(1, min(os.cpu_count() or 1, 8))


class SynthWorkers:
    """A pool of synthesizer processes; they start with the first job and stop at `close`.

    Calls of `run` from several threads follow one another.
    """

    def __init__(self, soundfont: Path, cache_folder: Path, count: int) -> None:
        self._soundfont = soundfont
        self._cache_folder = cache_folder
        self._count = count
        self._workers: list[_Worker] = []
        self._lock = Lock()
        self._left = Event()

    def run(
        self,
        parts: Mapping[str, SynthPart],
        done: Callable[[str], None],
        cancelled: Callable[[], bool],
        steps: int | None = None,
    ) -> None:
        """Render every part, or its first `steps`, into the cache, heaviest first, calling `done` with each key.

        Raises `SoundError` when a part fails or a worker dies: then the workers are ended, and the next run
        starts new ones. Raises `RenderCancelledError` some 20 ms after `cancelled` says so; the workers drop
        what they are playing and are ready for more.
        """
        with self._lock:
            try:
                self._run(parts, done, lambda: self._left.is_set() or cancelled(), steps)
            except SoundError as error:
                if self._left.is_set():
                    raise RenderCancelledError(msg("the render was cancelled")) from error
                raise

    def run_aside(self, key: str, part: SynthPart, steps: int) -> None:
        """Render the first `steps` grid steps of one part ahead of other work. Raises `SoundError`."""
        worker = next((worker for worker in tuple(self._workers) if worker.alive), None)
        if worker is None:
            self.run({key: part}, lambda _: None, lambda: False, steps)
        else:
            worker.play_aside(_Job(key, part, steps))

    def warm(self) -> None:
        """Start the processes and let them load the SoundFont before there is a part to render."""
        with self._lock:
            self._start(self._count)

    def _run(
        self,
        parts: Mapping[str, SynthPart],
        done: Callable[[str], None],
        cancelled: Callable[[], bool],
        steps: int | None,
    ) -> None:
        waiting = sorted(parts, key=lambda key: len(parts[key].events))
        self._start(min(self._count, len(waiting)))
        pending = len(waiting)
        try:
            for worker in self._workers:
                self._give(worker, waiting, parts, steps)
            while pending:
                if cancelled():
                    raise RenderCancelledError(msg("the render was cancelled"))
                for worker in _ready(self._workers):
                    key = worker.take()
                    pending -= 1
                    self._give(worker, waiting, parts, steps)
                    done(key)
        except RenderCancelledError:
            self._interrupt()
            raise
        except BaseException:
            self.close(at_once=True)
            raise

    def _give(self, worker: _Worker, waiting: list[str], parts: Mapping[str, SynthPart], steps: int | None) -> None:
        if not waiting:
            return
        others = frozenset[Sound]().union(*(one.sounds for one in self._workers if one is not worker))
        key = waiting.pop(next_part([sounds_of(parts[one]) for one in waiting], worker.sounds, others))
        worker.sounds |= sounds_of(parts[key])
        worker.give(_Job(key, parts[key], steps))

    def leave(self) -> None:
        """Kill the processes; may be called from any thread. Runs end with `RenderCancelledError`, and none begins any
        more."""
        self._left.set()
        for worker in tuple(self._workers):
            worker.kill()

    def close(self, *, at_once: bool = False) -> None:
        """End the processes; with `at_once` without waiting for the part they are rendering."""
        workers, self._workers = self._workers, []
        for worker in workers:
            # All of them end at the same time.
            worker.pipe.close()
        for worker in workers:
            worker.close(at_once)

    def _interrupt(self) -> None:
        """Let the busy workers drop their parts; one that does not is ended."""
        busy = [worker for worker in self._workers if worker.key]
        for worker in busy:
            worker.stop()
        for worker in busy:
            if not worker.stopped():
                self._workers.remove(worker)
                worker.close(at_once=True)

    def _start(self, count: int) -> None:
        if self._left.is_set():
            return
        self._workers = [worker for worker in self._workers if worker.alive]
        while len(self._workers) < count:
            self._workers.append(_Worker(self._soundfont, self._cache_folder))
            if self._left.is_set():
                self._workers[-1].kill()


class _Worker:
    """One process and two pipes to it: what comes through `beside` is played at once, amid another part."""

    def __init__(self, soundfont: Path, cache_folder: Path) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        # Shared memory: the worker looks at it every few milliseconds, and a pipe would cost more than the look.
        self._stop = context.RawValue(c_bool, False)
        self._asked = context.RawValue(c_bool, False)
        self._beside, their_beside = context.Pipe()
        self._beside_lock = Lock()
        self.process: BaseProcess = context.Process(
            target=serve, args=(theirs, their_beside, self._stop, self._asked, soundfont, cache_folder),
            name="bandleader-synth", daemon=True,
        )  # fmt: skip
        # Starting the tracker, which the first process would do, lets signals through again.
        resource_tracker.ensure_running()
        with held_back():
            self.process.start()
        theirs.close()
        their_beside.close()
        self.key = ""
        self.sounds: frozenset[Sound] = frozenset()
        """What it has loaded, or will have when it answers."""

    @property
    def alive(self) -> bool:
        with self._beside_lock:
            return not self._beside.closed and self.process.is_alive()

    def play_aside(self, job: _Job) -> None:
        """Wait for one short part, which does not wait for the other; any thread may ask."""
        with self._beside_lock:
            try:
                self._beside.send_bytes(msgspec.msgpack.encode(job))
                self._asked.value = True
                answer = self._beside.recv_bytes()
            except (EOFError, OSError) as error:
                raise self._died() from error
        _raise_failure(answer)

    def give(self, job: _Job) -> None:
        self.key = job.key
        try:
            self.pipe.send_bytes(msgspec.msgpack.encode(job))
        except OSError as error:
            raise self._died() from error

    def take(self) -> str:
        """The key of the part that was finished."""
        key, self.key = self.key, ""
        try:
            answer = self.pipe.recv_bytes()
        except (EOFError, OSError) as error:
            raise self._died() from error
        _raise_failure(answer)
        return key

    def stop(self) -> None:
        """Let it drop its part; it answers all the same, once."""
        self._stop.value = True

    def stopped(self) -> bool:
        """Whether it has answered after `stop`, and can take another part."""
        try:
            if not self.pipe.poll(_GRACE):
                return False
            self.pipe.recv_bytes()
        except (EOFError, OSError):
            return False
        self.key, self._stop.value = "", False
        return True

    def kill(self) -> None:
        # A process that was closed meanwhile has ended.
        with suppress(ValueError):
            self.process.kill()

    def close(self, at_once: bool) -> None:
        self.pipe.close()
        if at_once:
            self.process.kill()
        self.process.join()
        # Who waits for an answer sees the process end first.
        with self._beside_lock:
            self._beside.close()
            self.process.close()

    def _died(self) -> SoundError:
        closed = self._beside.closed
        if not closed:
            self.process.join(1)
        return SoundError(
            msg("the synthesizer process ended unexpectedly"),
            why=msg("it was closed") if closed else msg("exit code {exitcode}", exitcode=self.process.exitcode),
            fix=msg("try again; if it happens again, choose another SoundFont"),
        )


def _raise_failure(answer: bytes) -> None:
    failure = msgspec.msgpack.decode(answer, type=_Failure | None)
    if failure is not None:
        raise SoundError(failure.what, why=failure.why, fix=failure.fix)


def _ready(workers: list[_Worker]) -> list[_Worker]:
    # A dead worker's pipe reads as ended, so one wait covers answers and deaths.
    busy = [worker for worker in workers if worker.key]
    answered = wait([worker.pipe for worker in busy], _LOOK)
    return [worker for worker in busy if worker.pipe in answered]


def serve(
    pipe: Connection, beside: Connection, stop: c_bool, asked: c_bool, soundfont: Path, cache_folder: Path
) -> None:
    """The main loop of a worker process: take a part from `pipe`, store its sound unless `stop` is set, answer; until
    the pipe closes. Parts from `beside` are rendered in between, as soon as `asked` is set."""
    if sys.platform != "win32":
        # The window and what is being heard come first where processors are few.
        os.nice(_STEP_BACK)
    # What was imported stays to the end, where it would be looked through once more.
    gc.freeze()
    synth = _Synth(soundfont, DryCache(cache_folder))

    def interrupted() -> bool:
        while asked.value:
            asked.value = False
            if beside.poll():
                synth.answer(beside, lambda: False)
        return stop.value

    with suppress(EOFError, OSError):
        while True:
            ready = wait([pipe, beside])
            if beside in ready:
                synth.answer(beside, lambda: False)
            if pipe in ready:
                synth.answer(pipe, interrupted)


class _Synth:
    """What a worker plays with."""

    def __init__(self, soundfont: Path, cache: DryCache) -> None:
        self._soundfont = soundfont
        self._cache = cache
        self._bank: Bank | None = None
        with suppress(SoundError):
            self._bank = Bank(soundfont)  # what is wrong with it is told with the first part

    def answer(self, pipe: Connection, stopped: Callable[[], bool]) -> None:
        """Play the part that comes through a pipe. Raises `EOFError` when it has ended."""
        job = msgspec.msgpack.decode(pipe.recv_bytes(), type=_Job)
        failure: _Failure | None = None
        try:
            self._bank = self._bank or Bank(self._soundfont)
            self._cache.write(job.key, synthesise(self._bank, job.part, job.steps, stopped))
        except SoundError as error:
            failure = _Failure(error.what, error.why, error.advice)
        pipe.send_bytes(msgspec.msgpack.encode(failure))

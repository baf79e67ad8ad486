"""The same steps as a LangGraph `StateGraph` with its SQLite savers, as its documentation has them.

Each step of a plan is a node of the graph; the saver stores a checkpoint after each (`durability="sync"`). One node
that is gone through again and again is cheaper for LangGraph than a plan of different steps, and is measured too.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
import time
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict

from app.storage.driver import Synchronous

Saver: TypeAlias = Literal["async", "sync"]


class State(TypedDict):
    """What the nodes hand on."""

    n: int
    last: int


def installed() -> bool:
    """Whether LangGraph and its SQLite saver are here (`make bench` gets them)."""
    # Nothing is sent anywhere while measuring.
    os.environ["LANGSMITH_TRACING"] = os.environ["LANGCHAIN_TRACING_V2"] = "false"
    try:
        return find_spec("langgraph.checkpoint.sqlite.aio") is not None
    except ModuleNotFoundError:
        return False


def _more(state: State) -> str:
    return "tick" if state["n"] < state["last"] else "__end__"


def _nodes(steps: int, node: Any) -> Any:
    """A node for each step, one after the other."""
    from langgraph.graph import START, StateGraph

    graph = StateGraph(State)
    before = START
    for number in range(steps):
        graph.add_node(f"s{number}", node)
        graph.add_edge(before, f"s{number}")
        before = f"s{number}"
    return graph


def _loop(_steps: int, node: Any) -> Any:
    """One node, as often as wanted."""
    from langgraph.graph import START, StateGraph

    graph = StateGraph(State)
    graph.add_node("tick", node)
    graph.add_edge(START, "tick")
    graph.add_conditional_edges("tick", _more)
    return graph


def _tick(state: State) -> dict[str, int]:
    return {"n": state["n"] + 1}


async def _tick_async(state: State) -> dict[str, int]:
    return {"n": state["n"] + 1}


class Graphs:
    """Runs on files of their own, one for each saver and level."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0

    def _config(self, steps: int) -> dict[str, Any]:
        self._number += 1
        return {"configurable": {"thread_id": str(self._number)}, "recursion_limit": steps + 10}

    async def run_async(self, steps: int, synchronous: Synchronous, *, loop: bool = False) -> float:
        """Seconds of a run with `AsyncSqliteSaver`."""
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        async with AsyncSqliteSaver.from_conn_string(str(self._folder / f"async-{synchronous}.db")) as saver:
            await saver.setup()
            await saver.conn.execute(f"PRAGMA synchronous = {synchronous}")
            graph = (_loop if loop else _nodes)(steps, _tick_async).compile(checkpointer=saver)
            began = time.perf_counter()
            end = await graph.ainvoke({"n": 0, "last": steps}, self._config(steps), durability="sync")
            seconds = time.perf_counter() - began
        assert end["n"] == steps
        return seconds

    def run(self, steps: int, synchronous: Synchronous, *, loop: bool = False) -> float:
        """Seconds of a run with `SqliteSaver`."""
        from langgraph.checkpoint.sqlite import SqliteSaver

        connection = sqlite3.connect(self._folder / f"{synchronous}.db", check_same_thread=False)
        saver = SqliteSaver(connection)
        saver.setup()
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        graph = (_loop if loop else _nodes)(steps, _tick).compile(checkpointer=saver)
        began = time.perf_counter()
        end = graph.invoke({"n": 0, "last": steps}, self._config(steps), durability="sync")
        seconds = time.perf_counter() - began
        connection.close()
        assert end["n"] == steps
        return seconds


class Apart:
    """`Graphs` in a process of their own: what they leave in its memory slows nobody else down. To be closed."""

    def __init__(self, folder: Path) -> None:
        context = get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, folder), daemon=True)
        self._process.start()

    def run(self, saver: Saver, steps: int, synchronous: Synchronous, *, loop: bool = False) -> float:
        """Seconds of a run."""
        self._line.send((saver, steps, synchronous, loop))
        seconds: float = self._line.recv()
        return seconds

    def close(self) -> None:
        """End the process."""
        self._line.send(None)
        self._process.join()


def _serve(line: Connection, folder: Path) -> None:
    graphs = Graphs(folder)
    while (wanted := line.recv()) is not None:
        saver, steps, synchronous, loop = wanted
        gc.collect()
        if saver == "async":
            line.send(asyncio.run(graphs.run_async(steps, synchronous, loop=loop)))
        else:
            line.send(graphs.run(steps, synchronous, loop=loop))

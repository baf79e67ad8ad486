"""A program that is silent in the middle of its run, while others go on with the database."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from contextlib import closing

from commandline import CommandLine, Started


def stopped_outside_of_a_write(at: CommandLine, program: Started, change: str = "UPDATE run SET id = id") -> None:
    """Stop the program where it holds no lock of the database, also none of its log, and make a change there."""
    for _ in range(200):
        os.kill(program.pid, signal.SIGSTOP)
        try:
            with closing(sqlite3.connect(at.database, timeout=0.05)) as connection:
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.execute(change)
                [(busy, *_)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            if not busy:
                return
        except sqlite3.OperationalError:
            pass
        os.kill(program.pid, signal.SIGCONT)
        time.sleep(0.003)
    raise AssertionError("the program always holds the database")

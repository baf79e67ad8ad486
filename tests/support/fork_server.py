"""Carries out commands of the program, each in a process of its own that is forked from this one.

Reading the program takes most of a second, which fifty kills and a thousand more cannot wait for. A forked
child runs the very code of the command line, and `kill -9` ends it like any other process. One job a line on
stdin as JSON; answers the child's process id, then a line when it has ended, and to an empty line its status.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import sys
from typing import Any

import dying

PRELOADED = ("app.cli.main", "app.storage.migrations", "sqlalchemy.dialects.sqlite.pysqlite")


def carry_out(job: dict[str, Any]) -> int:
    """In the child: the command, with its words going to files."""
    from app.cli.main import run

    for number in (1, 2):
        os.dup2(os.open(job[("stdout", "stderr")[number - 1]], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.environ.update(job["environment"])
    if job["largest_file"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["largest_file"], job["largest_file"]))
    if job["naive"]:
        dying.commit_every_write()
    if job["die_at"] is not None:
        dying.die_at_statement(job["die_at"])
    if job["count_to"]:
        dying.count_statements(job["count_to"])
    return run(job["words"])


def main() -> None:
    """Serve until stdin ends."""
    for name in PRELOADED:
        importlib.import_module(name)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while line := sys.stdin.readline():
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            status = 1
            try:
                status = carry_out(json.loads(line))
                sys.stdout.flush()
            finally:
                os._exit(status)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
        # Its id must stay its own until whoever kills it has done so: it is reaped with the next job.
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        sys.stdout.write("ended\n")
        sys.stdout.flush()
        sys.stdin.readline()
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

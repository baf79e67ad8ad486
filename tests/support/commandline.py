"""The real command line as a child process over a home of its own, and looks into what it stored.

Where the system can, the child is forked from a process that has read the program already (see `fork_server`);
`cold` starts a new interpreter, as does an environment that matters while the program is being read.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forks import POSSIBLE, ROOT, Forked, forked
from patience import PATIENCE

from agent.song.song import Song
from app.storage.database import Database
from app.storage.objects import SongObjects

Started = subprocess.Popen[str] | Forked
_READ_WITH_THE_PROGRAM = ("PYTHON", "ANTHROPIC_LOG", "OPENAI_LOG", "LC_", "LANG", "LD_")
_READ_LATER = ("PYTHON_KEYRING_BACKEND",)



@dataclass(frozen=True)
class Said:
    """How a command ended and what it said."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout; anything more or less is an error."""
        return json.loads(self.stdout)


@dataclass(frozen=True)
class CommandLine:
    """Runs `bandleader` with all its data in `home`."""

    home: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def start(
        self, *words: str, stdin: int = subprocess.DEVNULL, cold: bool = False, through: Sequence[str] = (), **more: str
    ) -> Started:
        """Begin a command; unless `stdin` is a terminal, nobody is there. `more` are environment variables, `through`
        the words of another program that begins it."""
        own = {**self.environment, **more}
        if POSSIBLE and not cold and not through and not any(map(_matters_at_the_start, own)):
            return forked(words, self._whole(own), stdin)
        return subprocess.Popen(
            [*through, sys.executable, "-m", "app", *words], cwd=ROOT, stdin=stdin, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, encoding="utf-8", env=self._whole(own),
        )

    def job(self, *words: str, kill: Callable[[int], None] | None = None, **job: Any) -> Said:
        """A forked command to its end; `kill` is given its process id as soon as it lives, `job` as `forked` says."""
        child = forked(words, self._whole(self.environment), subprocess.DEVNULL, **job)
        if kill is not None:
            kill(child.pid)
        return ended(child)

    def _whole(self, own: Mapping[str, str]) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in ("CI", "COLUMNS", "FORCE_COLOR")}
        return {**kept, **own, "BANDLEADER_HOME": str(self.home)}

    def run(self, *words: str, **more: str) -> Said:
        """Run a command to its end."""
        return ended(self.start(*words, **more))

    def ask(self, *words: str, **more: str) -> Any:
        """The document of a command that must succeed."""
        said = self.run(*words, "--json", **more)
        assert said.status == 0, f"{words}: {said.status}\n{said.stdout[-1500:]}{said.stderr[-1500:]}"
        return said.json

    def refused(self, status: int, *words: str) -> dict[str, Any]:
        """The one error of a command that must end with `status`, told alike in both places."""
        said = self.run(*words, "--json")
        assert said.status == status, f"{words}: {said.status}\n{said.stdout[-1500:]}{said.stderr[-1500:]}"
        assert set(said.json) == {"error"}
        error: dict[str, Any] = said.json["error"]
        assert set(error) == {"what", "why", "try", "code"}
        assert error["code"] == status
        assert f"error: {error['what']}" in said.stderr
        assert said.stderr.count("error: ") == 1
        assert "Traceback" not in said.stderr
        return error

    def plan_file(self, steps: list[dict[str, Any]], name: str = "plan", **fields: Any) -> Path:
        """A plan written by hand."""
        path = self.home / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"steps": steps, **fields}), encoding="utf-8")
        return path

    def bound(self, steps: list[dict[str, Any]], name: str = "plan", **fields: Any) -> tuple[Path, str]:
        """A plan file bound to the song as it is now, and its hash."""
        by_hand = self.plan_file(steps, f"{name}-by-hand", **fields)
        path = self.home / f"{name}.json"
        shown = self.ask("plan", "--file", str(by_hand), "--out", str(path), "--replace")
        return path, shown["hash"]

    def carry_out(self, steps: list[dict[str, Any]], *words: str, status: int = 0, **fields: Any) -> Any:
        """Run a plan written by hand, approved by its hash."""
        path, approved = self.bound(steps, **fields)
        said = self.run("run", str(path), "--approve", approved, *words, "--json")
        assert said.status == status, f"{said.status}\n{said.stdout[-1500:]}{said.stderr[-1500:]}"
        return said.json

    @property
    def database(self) -> Path:
        """The one file that everything is stored in."""
        return self.home / "bandleader.db"

    def content(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table."""
        if not self.database.exists():
            return {}
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
            return {
                name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr)
                for (name,) in names
            }

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a query finds."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return connection.execute(query, values).fetchall()

    def song(self, iteration: str = "") -> Song:
        """The song of an iteration; without one, the working song of the only project."""
        if iteration:
            [(root,)] = self.rows("SELECT root FROM iteration WHERE id = ?", iteration)
        else:
            [(root,)] = self.rows("SELECT working FROM project")
        database = Database.open(self.database, self.home / "backups")
        try:
            return database.read_now(lambda transaction: SongObjects().load(transaction, root))
        finally:
            database.close()


def _matters_at_the_start(name: str) -> bool:
    return name.startswith(_READ_WITH_THE_PROGRAM) and name not in _READ_LATER


def ended(process: Started, seconds: float = PATIENCE) -> Said:
    """What a command that was begun said."""
    stdout, stderr = process.communicate(timeout=seconds)
    return Said(process.returncode, stdout, stderr)

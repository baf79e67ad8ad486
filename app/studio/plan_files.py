"""Plans as files: read with a limit, written whole."""

from __future__ import annotations

import stat
from pathlib import Path

from agent.plan.document import MAX_FILE_BYTES, Plan, read_plan, write_plan
from agent.plan.errors import PlanError
from app.services.exporting import ExportFolderError, make_folder
from app.whole_files import write_whole


def read_plan_file(path: Path) -> Plan:
    """The plan in a file; raises `PlanError` naming it."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise PlanError(f"{path} is not a file", fix="name a plan file, as `bandleader plan --out` writes it")
        if found.st_size > MAX_FILE_BYTES:
            why = f"{found.st_size:,} bytes; at most {MAX_FILE_BYTES:,} are read"
            raise PlanError(f"{path} is too large for a plan", why=why, fix="name a plan file")
        return read_plan(path.read_bytes(), str(path))
    except OSError as problem:
        raise PlanError(f"cannot read {path}", why=problem.strerror or str(problem), fix="check the path") from None


def write_plan_file(plan: Plan, path: Path) -> None:
    """Write the plan whole or not at all, making its folder; raises `ExportFolderError`."""
    make_folder(path.parent)
    try:
        write_whole(path, lambda file: file.write(write_plan(plan)))
    except OSError as problem:
        raise ExportFolderError(
            f"cannot write {path}", why=problem.strerror or str(problem), fix="choose another place for the plan"
        ) from None

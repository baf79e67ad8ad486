"""Plans as files: read with a limit, written whole."""

from __future__ import annotations

import stat
from pathlib import Path

from agent.fixes import FixKind
from agent.message import msg
from agent.plan.document import MAX_FILE_BYTES, Plan, read_plan_text, too_large, write_plan
from agent.plan.errors import PlanError
from app.atomic_write import write_whole
from app.services.exporting import ExportFolderError, make_folder
from app.services.written_files import WrittenFiles


def read_plan_file(path: Path) -> Plan:
    """The plan in a file, without the fields that a file may not set (`NOT_FROM_FILES`). Raises `PlanError` that names
    the file."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise PlanError(msg("{path} is not a file", path=path), fix=FixKind.OPEN_PLAN_FILE())
        if found.st_size > MAX_FILE_BYTES:
            raise too_large(str(path), found.st_size)
        return read_plan_text(path.read_bytes(), str(path))
    except OSError as problem:
        raise PlanError(
            msg("cannot read {path}", path=path), why=problem.strerror or str(problem), fix=msg("check the path"),
        ) from None


def write_plan_file(plan: Plan, path: Path, written: WrittenFiles, *, replace: bool = False) -> None:
    """Write the plan as a whole or not at all, creating its folder; without `replace` only over a file that Bandleader
    has written. Raises `NotReplaced`, `ExportFolderError`, and `PlanError` for a plan too large to be read again."""
    data = write_plan(plan)
    if len(data) > MAX_FILE_BYTES:
        raise too_large(str(path), len(data))
    make_folder(path.parent)
    if not replace:
        written.refuse_others([path])
    try:
        write_whole(path, lambda file: file.write(data), permit=None if replace else written.refuse_other)
    except OSError as problem:
        raise ExportFolderError(
            msg("cannot write {path}", path=path), why=problem.strerror or str(problem),
            fix=msg("choose another place for the plan"),
        ) from None
    written.remember([path])

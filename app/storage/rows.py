"""From rows of the database to records."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import RowMapping

from agent.fixes import Fix
from agent.message import msg
from app.storage.errors import Damaged

S = TypeVar("S", bound=Struct)


def record(row: RowMapping, kind: type[S], what: str) -> S:
    """The record of type `kind` in a row of the database. Raises `Damaged`, which calls the row `what`, if a value is
    not of its type."""
    try:
        return msgspec.convert(dict(row), kind)
    except msgspec.ValidationError as error:
        raise Damaged(
            msg("{what} is damaged", what=what), why=str(error), fix=msg("restore the newest backup"),
        ) from error


def decoded(text: str, form: Any, what: str, fix: Fix | str) -> Any:
    """A value of the type `form` from the JSON of a column. Raises `Damaged` with `what` and `fix` if the text is
    anything else."""
    try:
        return msgspec.json.decode(text, type=form)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise Damaged(msg("{what} is damaged", what=what), why=str(error), fix=fix) from error


def not_as_written(what: str) -> Damaged:
    """The error for a row that differs from what was written, by its checksum; `what` names the row."""
    fix = msg("restore the newest backup; everything else is still there")
    return Damaged(msg("{what} is damaged", what=what), why=msg("its row is not what was written"), fix=fix)


def values(value: Struct) -> dict[str, Any]:
    """A record's fields, as a statement takes them."""
    return msgspec.structs.asdict(value)

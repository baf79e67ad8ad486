"""What a person decided: data that survives a restart."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from agent.plan.plan import Inputs


class Reject(Struct, frozen=True, forbid_unknown_fields=True, tag_field="verdict", tag="reject"):
    """Leave the row `step` out; rows that need it are left out as well."""

    step: str
    reason: str = ""


class Change(Struct, frozen=True, forbid_unknown_fields=True, tag_field="verdict", tag="change"):
    """Run the row `step` with other inputs; `reason` is the person's, "" for none."""

    step: str
    inputs: Inputs
    reason: str = ""


Decision: TypeAlias = Reject | Change


class Approval(Struct, frozen=True, forbid_unknown_fields=True):
    """Permission to run exactly one plan (by its hash) once, on exactly one song (by its revision); `at` is the time in
    ISO 8601, UTC."""

    hash: str
    song_revision: str
    by: Literal["person", "in advance by --yes"]
    at: str
    """ISO 8601, UTC."""

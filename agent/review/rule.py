"""The names of all marks that a review can put on a row."""

from __future__ import annotations

from enum import StrEnum


class Rule(StrEnum):
    """The name of one rule of `check` (errors of form) or `lint` (what the preview shows), as stored in plan files."""

    STEP_ID = "step id"
    SECRET = "secret"  # noqa: S105 - the name of a rule
    UNKNOWN_TOOL = "unknown tool"
    GOAL = "goal"
    INPUTS = "inputs"
    ORDER = "order"
    REFERENCE = "reference"
    LOOP = "loop"
    ALONE = "alone"

    LOCK = "lock"
    LOCKED = "locked"
    FENCE = "fence"
    WOULD_FAIL = "would fail"
    ITEMS = "items would fail"
    NO_EFFECT = "no effect"
    DUPLICATE = "duplicate"
    REMOVES = "removes"
    THINS = "takes notes"
    SILENT_TRACK = "track without clip"
    EMPTY_CLIP = "empty clip"
    OVERLAP = "overlap"
    RANGE = "range"
    PAST_SECTION = "past section"
    REQUEST = "request"
    MEASURE = "measure"
    UNHEARD = "not heard yet"
    KNOWN_LATER = "known when it runs"

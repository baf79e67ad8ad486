"""Answers to identical briefs, kept as long as the program runs."""

from __future__ import annotations

import hashlib
from collections import OrderedDict

import msgspec

from agent.plan.plan import Draft
from agent.plan.planning import Brief
from agent.song.revision import song_revision


class AnswerMemory:
    """A cache of the last drafts by `memory_key`; the least recently used is dropped first."""

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._drafts: OrderedDict[str, Draft] = OrderedDict()

    def recall(self, key: str) -> Draft | None:
        """The draft stored under the key; None if there is none."""
        draft = self._drafts.get(key)
        if draft is not None:
            self._drafts.move_to_end(key)
        return draft

    def keep(self, key: str, draft: Draft) -> None:
        """Store a draft under the key."""
        self._drafts[key] = draft
        self._drafts.move_to_end(key)
        while len(self._drafts) > self._size:
            self._drafts.popitem(last=False)


def memory_key(planner: str, brief: Brief, told: str) -> str:
    """A hash of everything that the answer to a brief depends on; `planner` is the planner's name, `told` stands for
    prompts and limits.

    Of the conversation only the person's own lines other than the request count: asking again gives the same key, but
    "yes, that one" after other words does not.
    """
    request = " ".join(brief.request.split())
    said = [one.text for one in brief.said if one.by == "you" and " ".join(one.text.split()) != request]
    parts = (
        planner, request, song_revision(brief.song), brief.locks, brief.seed, brief.tools, brief.palette, said,
        brief.verdicts, brief.revision, brief.fence, told,
    )
    return hashlib.sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()

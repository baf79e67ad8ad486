"""Heirs: who plays what a part played that is taken out: its music is handed on, and who gets it comes in once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs
from msgspec.structs import replace

from agent.composer.assigning_words import AssigningWords
from agent.composer.operation_words import OperationWords
from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Filling, FormFit
from agent.composer.understanding.mentions import Mention, MentionReader
from agent.composer.understanding.operations import Add, Remove, Replace
from agent.composer.understanding.ownership import free_words
from agent.composer.understanding.part_traits import phrase_at
from agent.composer.understanding.tasks import Task

_GIVEN = OperationWords(operation="replace", forms=("{part} {by}",), variant="exact")
_SAID = OperationWords(operation="nothing", forms=("{part}",))
_PARTED = ("comma", "stop", "break", "aside")
_FOLLOWING = 2
"""Segments behind a removal in which its heir may be named."""


class HeirReader:
    """Finds, after a part that is removed, who is to play its line instead: "drop the voice, a guitar plays the
    tune"."""

    def __init__(self, lexicon: Lexicon, words: AssigningWords) -> None:
        self._lexicon = lexicon
        self._mentions = MentionReader(lexicon, words)
        self._same = phrase_set(words.same_line)
        self._passing = tuple(
            phrase_set(group) for group in (words.links, words.takes, words.verbs, words.passing, words.another)
        )
        grammar = lexicon.words.grammar
        self._joins = frozenset((*grammar.joins, *grammar.either))
        self._light = frozenset((*grammar.light, *grammar.skip, *grammar.determiners))

    def read(
        self, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]]
    ) -> dict[int, FormFit[OperationWords]]:
        """The matched patterns (by the item where they begin), with a removal replaced by handing on the line if a
        player is named for it: "take out the voice and put a guitar to play the same melody".

        If it is unclear who that is, the removal is left out, so that its clause is reported as not done.
        """
        made = dict(finds)
        for at, whole in finds.items():
            if whole.payload.operation != "remove" or not isinstance(whole.value("part"), tuple):
                continue
            found = self._without_heir(items, at, whole)
            for first, end in self._segments(items, found.end):
                if not self._says_same(items, first, end):
                    continue
                made = {k: one for k, one in made.items() if k == at or not first <= k < end}
                heir = self._heir(items, first, end)
                if heir is None:
                    del made[at]
                else:
                    by = Filling("by", heir.wish, found.end, found.end)
                    made[at] = replace(found, payload=_GIVEN, fillings=(*found.fillings, by))
                    made[first] = FormFit(end, _SAID, (), 1)
                break
        return dict(sorted(made.items()))

    def _without_heir(
        self, items: Sequence[Item], at: int, found: FormFit[OperationWords]
    ) -> FormFit[OperationWords]:
        """The removal without the last of its parts, where that is the heir: "the lead, a tuba has its line"."""
        filling = next(one for one in found.fillings if one.slot == "part")
        parts = filling.value if isinstance(filling.value, tuple) else ()
        cut = next((k for k in range(found.end - 1, at, -1) if self._parts(items[k])), None)
        following = self._segments(items, cut + 1)[:1] if cut is not None else []
        if cut is None or len(parts) < 2 or not any(self._says_same(items, *one) for one in following):
            return found
        fillings = tuple(replace(one, value=parts[:-1], last=cut) if one is filling else one for one in found.fillings)
        return replace(found, end=cut, fillings=fillings)

    def _parts(self, item: Item) -> bool:
        return item.kind in _PARTED or item.text in self._joins

    def _segments(self, items: Sequence[Item], start: int) -> list[tuple[int, int]]:
        """The next stretches between signs and joins; a sentence that follows counts."""
        found: list[tuple[int, int]] = []
        first = start
        for at in range(start, len(items) + 1):
            if at == len(items) or self._parts(items[at]):
                if at > first:
                    found.append((first, at))
                first = at + 1
            if len(found) == _FOLLOWING:
                break
        return found

    def _says_same(self, items: Sequence[Item], first: int, end: int) -> bool:
        return any(phrase_at(items, at, self._same) for at in range(first, end))

    def _heir(self, items: Sequence[Item], first: int, end: int) -> Mention | None:
        """The one player of a stretch that says nothing else; None where a word of it is strange."""
        free = free_words([item.text for item in items], self._lexicon)
        heir: Mention | None = None
        at = first
        while at < end:
            if length := phrase_at(items, at, self._same):
                at += length
                continue
            mention = self._mentions.at(items, at)
            if mention is not None and mention.is_player and mention.last <= end:
                if heir is not None:
                    return None
                heir, at = mention, mention.last
                continue
            length = max(phrase_at(items, at, group) for group in self._passing)
            if not length and at not in free and items[at].text not in self._light:
                return None
            at += length or 1
        return heir


def handed_on(tasks: Sequence[Task], lexicon: Lexicon) -> list[Task]:
    """The tasks without removals of a part whose line another task hands to a new player, and without adding that
    player a second time."""
    found: list[Task] = []
    for task in tasks:
        heirs = [other for other in tasks if isinstance(other.operation, Replace) and other.scope == task.scope]
        kept = _left(task, heirs, lexicon)
        if kept is None:
            heir = next(other for other in heirs if _concerns(task, other, lexicon))
            at = next((number for number, one in enumerate(found) if one.operation == heir.operation), None)
            merged = structs.replace(heir, clauses=tuple(dict.fromkeys((*task.clauses, *heir.clauses))))
            tasks = [merged if one == heir else one for one in tasks]
            if at is not None:
                found[at] = merged
        else:
            found.append(kept)
    return [_now(task, tasks) for task in found]


def _now(task: Task, tasks: Sequence[Task]) -> Task:
    """A task with the clauses that came to it."""
    return next((one for one in tasks if (one.operation, one.scope) == (task.operation, task.scope)), task)


def _concerns(task: Task, heir: Task, lexicon: Lexicon) -> bool:
    gone, operation = task.operation, heir.operation
    if not isinstance(operation, Replace):
        return False
    if isinstance(gone, Add):
        return gone.wish == operation.by
    return isinstance(gone, Remove) and (
        gone.wish == operation.wish or bool(set(lexicon.meant(gone.wish)) & set(lexicon.meant(operation.wish)))
    )


def _left(task: Task, heirs: Sequence[Task], lexicon: Lexicon) -> Task | None:
    """What is left of a task beside those that hand parts on; None where that is nothing."""
    meeting = [heir for heir in heirs if _concerns(task, heir, lexicon)]
    if not meeting:
        return task
    gone = task.operation
    if not isinstance(gone, Remove):
        return None
    taken = {
        track for heir in meeting if isinstance(heir.operation, Replace) for track in lexicon.meant(heir.operation.wish)
    }
    rest = tuple(track for track in lexicon.meant(gone.wish) if track not in taken)
    if not rest or any(isinstance(one.operation, Replace) and one.operation.wish == gone.wish for one in meeting):
        return None
    return structs.replace(task, operation=Remove(structs.replace(gone.wish, tracks=rest)))

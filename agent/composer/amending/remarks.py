"""Remarks: the clauses of what a person says of a plan, and what each of them changes in what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from agent.composer.amending.amendments import Amended, Amending
from agent.composer.amending.fragments import Fragments
from agent.composer.refining_words import RefiningWords, without_measure
from agent.composer.tokens import tokens_in
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Scope, Task

_Read = Callable[[str], Intent]
_OWNER = "'s"


class RevisedTasks(Struct, frozen=True):
    """The tasks of a request after a remark; `said` is the text of the clauses that changed them, `rest` that of the
    others."""

    tasks: tuple[Task, ...]
    said: str
    rest: str


class SaidClause(Struct, frozen=True):
    """The casefolded words of a clause, and its text in the remark."""

    words: tuple[str, ...]
    text: str


def clauses_in(text: str, language: RefiningWords) -> list[SaidClause]:
    """The clauses of a remark, divided at separators and before words that begin an order."""
    clauses: list[list[tuple[str, int, int]]] = [[]]
    amending = language.amending
    spoken = [
        (word, token.start, token.end)
        for token in tokens_in(text) for word in _whole(token.text.casefold(), language)
    ]
    for at, (word, start, end) in enumerate(spoken):
        if word in language.breaks:
            clauses.append([])
            continue
        ahead = " ".join(one for one, _, _ in spoken[at : at + 3])
        begins = any(f"{ahead} ".startswith(f"{phrase} ") for phrase in amending.starts)
        if begins and clauses[-1] and clauses[-1][-1][0] not in amending.leading:
            clauses.append([])
        clauses[-1].append((word, start, end))
        if word in amending.closing and len(clauses[-1]) > 1:
            clauses.append([])
    return [
        SaidClause(
            tuple(without_measure([word for word, _, _ in clause], language)), text[clause[0][1] : clause[-1][2]]
        )
        for clause in clauses if clause
    ]


def _whole(token: str, language: RefiningWords) -> Sequence[str]:
    """A token written out: "it's" is two, and "a third's too much" a third."""
    known = language.contractions.get(token)
    if known is not None:
        return known.split()
    return (token.removesuffix(_OWNER), "is") if token.endswith(_OWNER) and len(token) > len(_OWNER) else (token,)


class Remarks(Struct, frozen=True):
    """Reads remarks about a plan against the tasks of its request. `read` reads words as a request about the song
    before the plan."""

    language: RefiningWords
    lexicon: Lexicon
    amending: Amending
    read: _Read

    def on(self, text: str, asked: Intent, tasks: tuple[Task, ...]) -> RevisedTasks | None:
        """What a remark changes in the plan's present `tasks`; None if nothing. `asked` is the request as it was read,
        whose words tell which task a clause means."""
        now, last, said, rest = tasks, frozenset[int](), list[str](), list[str]()
        waiting: list[str] = []
        for clause in clauses_in(text, self.language):
            found = self._clause(clause, asked, now, last, left_out=len(now) < len(tasks))
            if not found.takes:
                rest.append(clause.text)
                last = found.about or last
                continue
            if found.waits:
                waiting.append(clause.text)
            elif found.tasks != now:
                said += [*waiting, clause.text]
                waiting = []
            now, last = found.tasks, found.about or last
        if now == tasks:
            return None
        return RevisedTasks(now, ", ".join(said), ", ".join([*waiting, *rest]))

    def _clause(
        self, clause: SaidClause, asked: Intent, tasks: tuple[Task, ...], last: frozenset[int], *, left_out: bool
    ) -> Amended:
        """The tasks after a clause, untaken where it says nothing of them; `left_out` where some are gone, so that
        "those should stay as they are" is no more than that."""
        names = {at: self._names(task, asked) for at, task in enumerate(tasks)}
        fragments = Fragments(self.language.amending, self.lexicon, self.place, names, self.language.degrees)
        fragment = fragments.read(clause.words)
        if fragment is not None:
            if fragment.says_nothing or (left_out and fragment.confirms):
                return Amended(tasks, last)
            if (found := self.amending.by_fragment(tasks, fragment, last)) is not None:
                return found
        if (complaint := self._complaint(clause, fragments, tasks, last)) is not None:
            return complaint
        named = frozenset() if fragment is None else fragment.tasks
        untaken = Amended(tasks, named, takes=False)
        intent = self.read(clause.text)
        owned = all(one.outcome != "told" for one in intent.clauses)
        if intent.goal != "change" or not (intent.tasks and owned) or intent.stays:
            return untaken
        return self.amending.by_request(tasks, intent.tasks) or untaken

    def _complaint(
        self, clause: SaidClause, fragments: Fragments, tasks: tuple[Task, ...], last: frozenset[int]
    ) -> Amended | None:
        """66 is too slow for the picture: that a value is wrong, without the reason behind it."""
        ends = (at for at, word in enumerate(clause.words) if at and word in self.language.amending.reasons)
        head = fragments.read(clause.words[: next(ends, 0)])
        if head is None or not head.values or "wrong" not in head.sayings:
            return None
        return self.amending.by_fragment(tasks, head, last)

    def place(self, words: str) -> Scope | None:
        """The place that words such as "in the chorus" name; None if they name none or the whole song."""
        intent = self.read(self.language.amending.placed.format(words))
        owned = all(one.outcome == "understood" for one in intent.clauses)
        if intent.goal != "change" or len(intent.tasks) != 1 or not owned:
            return None
        task = intent.tasks[0]
        plain = self.read(self.language.amending.placed.format("")).tasks
        same = len(plain) == 1 and plain[0].operation == task.operation and plain[0].amount == task.amount
        return task.scope if same and not task.scope.whole else None

    def _names(self, task: Task, asked: Intent) -> frozenset[str]:
        """The words of a request by which one of its tasks is known."""
        texts = [one.text for one in asked.clauses if one.number in task.clauses] or [task.words]
        words = [token.text.casefold() for text in texts for token in tokens_in(text)]
        plain = {word for word in words if word.isalpha() and word not in self._common}
        named = {word for at, word in enumerate(words) if self.lexicon.wish_at(words, at) is not None}
        about = self.language.about
        kinds = {"Retempo": about.get("tempo", ()), "Transpose": about.get("key", ()), "Rekey": about.get("key", ())}
        return frozenset(plain - named) | frozenset(kinds.get(type(task.operation).__name__, ()))

    @property
    def _common(self) -> frozenset[str]:
        amending = self.language.amending
        phrases = (*amending.filler, *amending.placing, *amending.common, *self.language.filler)
        return frozenset(word for phrase in phrases for word in phrase.split())

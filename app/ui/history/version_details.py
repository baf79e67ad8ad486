"""What is known of the iterations that are chosen: who, when, from which words, how much, and after which."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.i18n import tr, trn
from app.storage.records import Iteration
from app.ui.history.letters import Letter
from app.ui.history.rows import author_words, spent_on
from app.ui.kit.context import Kit
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.viewmodels.history.version_filter import author_of
from app.viewmodels.texts.moments import clock_time

_SIDE, _GAP = 12, 4
_LONGEST = 160


class VersionDetails(QWidget):
    """Details of one or two selected iterations; two have the letters A and B."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._blocks = tuple(_Block(kit, letter) for letter in "AB")
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE, 8, _SIDE, 8)
        column.setSpacing(10)
        for block in self._blocks:
            column.addWidget(block)
        self.show_versions((), {}, "")

    def show_versions(self, versions: tuple[Iteration, ...], numbers: dict[str, int], head: str) -> None:
        """Show one or two iterations, nothing for more or none; `numbers` are those of all iterations by id, `head` is
        the id of the current one."""
        two = len(versions) == len(self._blocks)
        for at, block in enumerate(self._blocks):
            if at < len(versions) <= len(self._blocks):
                block.show_version(versions[at], numbers, current=versions[at].id == head, lettered=two)
            else:
                block.hide()
        self.setVisible(0 < len(versions) <= len(self._blocks))


class _Block(QWidget):
    def __init__(self, kit: Kit, letter: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP)
        head = QHBoxLayout()
        self._letter = Letter(kit, letter)
        self._title = ElidedLabel("", size="strong")
        head.addWidget(self._letter)
        head.addWidget(self._title, 1)
        column.addLayout(head)
        self._who = ElidedLabel("", tone="t3")
        self._words = ElidedLabel("", tone="t2")
        column.addWidget(self._who)
        column.addWidget(self._words)
        grid = QGridLayout()
        grid.setSpacing(2)
        grid.setColumnStretch(0, 1)
        self._facts = [(PlainLabel(tone="t2"), PlainLabel()) for _ in range(3)]
        for at, pair in enumerate(self._facts):
            for column_at, label in enumerate(pair):
                grid.addWidget(label, at, column_at)
        column.addLayout(grid)

    def show_version(self, one: Iteration, numbers: dict[str, int], *, current: bool, lettered: bool) -> None:
        name = tr("Iteration {number}, current", number=one.number) if current \
            else tr("Iteration {number}", number=one.number)
        self._letter.setVisible(lettered)
        self._title.setText(name)
        self._who.setText(f"{author_words(author_of(one))}, {clock_time(one.created)}")
        asked = " ".join((one.message if one.source == "ai_iteration" else one.label)[:_LONGEST].split())
        self._words.setText(f"“{asked}”" if asked else "")
        self._words.setVisible(bool(asked))
        parent = numbers.get(one.parent or "")
        count = trn("{count} change", "{count} changes", one.actions, count=f"{one.actions:,}")
        if one.source == "ai_iteration":
            count = trn("{count} step", "{count} steps", one.actions, count=f"{one.actions:,}")
        facts = ((tr("Size"), count if one.actions else ""), (tr("Cost"), spent_on(one)),
                 (tr("Made from"), "" if parent is None else str(parent)))
        for (what, value), (said, words) in zip(self._facts, facts, strict=True):
            what.setText(said)
            value.setText(words)
            what.setVisible(bool(words))
            value.setVisible(bool(words))
        self.setAccessibleName(", ".join(filter(None, (name, self._who.text(), asked, count, spent_on(one)))))
        self.show()

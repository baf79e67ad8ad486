"""The key of a provider: pasted, kept where it is safe, tried and forgotten. It is never shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from agent.errors import BandleaderError
from app.i18n import tr, trn
from app.storage.errors import KeyringError
from app.studio.key_order import KeyPlace, Where
from app.studio.models import Kind
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import FlatButton, PlainButton
from app.ui.kit.widgets.notice import sentence
from app.ui.settings.parts import Page, ResultLabel, Tone
from app.ui.settings.working import Working
from app.viewmodels.chat.choosing import NAMES, ProviderModels

T = TypeVar("T")
_LONGEST = 4096


class KeyPart(QObject):
    """The fields for a provider's API key: it can be stored, tested and deleted, and is never shown. Signal `listed`
    carries the models that a test has found. `store` stores the page's other settings first, since the server decides
    where a key belongs."""

    listed = Signal(object)

    def __init__(
        self, kit: Kit, models: ProviderModels, kind: Kind, page: Page, working: Working, store: Callable[
            [], Awaitable[object]
        ]
    ) -> None:
        super().__init__(page)
        self._where: Where = "none"
        self._models, self._kind, self._working, self._store = models, kind, working, store
        name = NAMES[kind]
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setInputMethodHints(self.field.inputMethodHints() | Qt.InputMethodHint.ImhSensitiveData)
        self.field.setMaxLength(_LONGEST)
        self.field.setPlaceholderText(tr("Paste a key"))
        self.field.setAccessibleName(tr("Key of {name}", name=name))
        self.field.setToolTip(tr("The key is kept by the system's keyring and never shown again"))
        self.save = PlainButton(tr("Save key"), icon="key", tip=tr("Keep this key of {name} in the keyring", name=name))
        self.session = PlainButton(tr("Keep for this session only"),
                                   tip=tr("In memory; it is gone when Bandleader ends"))
        self.test = PlainButton(tr("Test key"), icon="plugs-connected",
                                tip=tr("Ask {name} which models there are", name=name))
        self.forget = FlatButton(tr("Forget key"), icon="eraser",
                                 tip=tr("Remove the key of {name} from keyring and session", name=name))
        self.place = ResultLabel(kit)
        page.heading(tr("Key"))
        page.column.addWidget(self.place)
        page.row(self.field, self.save, self.session)
        page.row(self.test, self.forget, stretch=-1)
        self.session.hide()
        self._renew()
        working.settled.connect(self._renew)
        self.field.textChanged.connect(self._typed)
        self.field.returnPressed.connect(self._save)
        self.save.clicked.connect(self._save)
        self.session.clicked.connect(self._keep_for_session)
        self.test.clicked.connect(self.try_key)
        self.forget.clicked.connect(self._forget)

    def look(self) -> None:
        """Read where the key is stored, and show it."""
        self._working.start(tr("Looking for the key"), lambda: self._models.key_place(self._kind), self._show)

    def wipe(self) -> None:
        """Empty the key field, without a way to undo it."""
        self.field.setText("")

    def try_key(self) -> None:
        """Test the key: ask the server for its models."""
        self._working.start(tr("Asking the server"), self._stored(self._tried), self._tested)

    def take_place(self, place: KeyPlace) -> None:
        """Show where the key is stored, without reading it anew."""
        self._show(place)

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """The widgets to be disabled while something is waited for."""
        return self.field, self.save, self.session, self.test, self.forget

    def _stored(self, work: Callable[[], Awaitable[T]]) -> Callable[[], Awaitable[T]]:
        async def after() -> T:
            await self._store()
            return await work()

        return after

    def _typed(self) -> None:
        self.session.hide()
        self._renew()

    def _renew(self) -> None:
        self.save.setEnabled(bool(self.field.text().strip()) and not self._working.busy)
        # A key of the environment is not ours to forget.
        self.forget.setEnabled(self._where in ("keyring", "session") and not self._working.busy)

    def _save(self) -> None:
        key = self.field.text().strip()
        if key:
            self._working.start(
                tr("Saving the key"), self._stored(lambda: self._models.put_key(self._kind, key)), self._saved,
                self._refused,
            )

    def _keep_for_session(self) -> None:
        key = self.field.text().strip()
        if key:
            self._working.start(
                tr("Keeping the key"), self._stored(lambda: self._models.put_session_key(self._kind, key)), self._saved
            )

    def _saved(self, place: KeyPlace) -> None:
        self.wipe()
        self._show(place)
        self._working.said.tell(tr("The key was saved. Test it to see which models there are."))
        self.test.setFocus(Qt.FocusReason.OtherFocusReason)

    def _refused(self, error: BandleaderError) -> bool:
        """No keyring would keep it: the person may keep it in memory, and it stays in the field until then."""
        self.session.setVisible(isinstance(error, KeyringError))
        return False

    def _forget(self) -> None:
        self._working.start(tr("Forgetting the key"), self._stored(self._forgotten_at), self._forgotten)

    async def _forgotten_at(self) -> tuple[bool, KeyPlace]:
        return await self._models.forget_key(self._kind), await self._models.key_place(self._kind)

    def _forgotten(self, found: tuple[bool, KeyPlace]) -> None:
        had, place = found
        self._show(place)
        self._working.said.tell(tr("The key was forgotten.") if had else tr("There was no key to forget."), "t3")

    async def _tried(self) -> tuple[tuple[str, ...], KeyPlace]:
        return await self._models.test(self._kind), await self._models.key_place(self._kind)

    def _tested(self, found: tuple[tuple[str, ...], KeyPlace]) -> None:
        names, place = found
        self._show(place)
        answers = tr("The server answers without a key.") if place.where == "none" else tr("The key works.")
        offered = tr("The server lists no models.")
        if names:
            offered = trn("The server offers {count:,} model.", "The server offers {count:,} models.", len(names))
        unsaved = tr("The key in the field is not saved yet and was not tried.") if self.field.text().strip() else ""
        said = (unsaved, answers if names else "", offered)
        self._working.said.tell(" ".join(filter(None, said)), "ok" if names and not unsaved else "warn")
        self.listed.emit(names)

    def _show(self, place: KeyPlace) -> None:
        self._where = place.where
        tone: Tone = "warn" if place.trouble else "t3" if place.where == "none" else "ok"
        self.place.tell(place_words(self._kind, place), tone)
        self._renew()


def place_words(kind: Kind, place: KeyPlace) -> str:
    """Where a key is stored, with remarks, in sentences."""
    if place.where == "none":
        said = tr("There is no key.")
        if kind == "openai-chat":
            said = tr("There is no key. A server on this computer needs none.")
    else:
        said = tr("The key is {said}.", said=place.said)
    return " ".join(part for part in (said, sentence(place.trouble)) if part)

"""The page of one provider."""

from __future__ import annotations

import asyncio

from app.i18n import lazy, tr
from app.studio.key_order import KeyPlace
from app.studio.models import Kind, ProviderSettings
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import MainButton, PlainButton
from app.ui.settings.chosen_planner import ChosenPlanner
from app.ui.settings.key_part import KeyPart
from app.ui.settings.model_part import ModelPart
from app.ui.settings.parts import Page
from app.ui.settings.working import Working
from app.viewmodels.chat.choosing import NAMES, Choosing, PlannerOption, Probe, given_words, offer_words

_ABOUT: dict[Kind, str] = {
    "anthropic": lazy(
        "Plans with a model of Anthropic. Your request, a summary of the song and what was said in the project are "
        "sent to its server; it is paid by the token."
    ),
    "openai": lazy(
        "Plans with a model of OpenAI. Your request, a summary of the song and what was said in the project are sent "
        "to its server; it is paid by the token."
    ),
    "openai-chat": lazy(
        "Plans with any server that speaks as OpenAI's does: a model on this computer, or one elsewhere. Your "
        "request, a summary of the song and what was said in the project are sent there."
    ),
}


class ProviderPage(Page):
    """Key, server and model of a provider; changes are stored at once."""

    def __init__(self, kit: Kit, choosing: Choosing, kind: Kind) -> None:
        super().__init__(NAMES[kind], tr(_ABOUT[kind]))
        self._choosing, self._models, self._kind = choosing, choosing.models, kind
        self._looked = self._closed = False
        self._server = ""
        self._turn = asyncio.Lock()
        self.working = Working(kit)
        self.key = KeyPart(kit, self._models, kind, self, self.working, self._store)
        self.fields = ModelPart(kind, self)
        self.column.addSpacing(10)
        self.use = MainButton(tr("Plan with this model"), icon="check", tip=tr("From the next request on"))
        self.probe = PlainButton(tr("Can this model plan?"), icon="magnifying-glass",
                                 tip=tr("Let it plan something small, and say how well that went"))
        self.probe.setVisible(choosing.probe is not None)
        self.planner = ChosenPlanner(
            kit, choosing, self.use, lambda offer: offer.provider == kind and not offer.model,
            lambda offer: tr("Chosen: {planner} plans your requests.", planner=offer.words),
        )
        self.column.addWidget(self.planner)
        self.row(self.probe, stretch=-1)
        self.column.addWidget(self.working)
        self.column.addStretch()
        self.working.held = (*self.key.widgets, *self.fields.widgets, self.use, self.probe)
        self.key.listed.connect(self.fields.list_models)
        self.fields.changed.connect(lambda: self.working.quietly(self._store_and_look, self._stored))
        self.fields.ask.clicked.connect(self.key.try_key)
        self.use.clicked.connect(self._use)
        self.probe.clicked.connect(self._try)

    def look(self) -> None:
        """Read and show the settings; the system's keyring is asked only now, when the person looks at this page."""
        if not self._looked and not self.working.busy:
            self._looked = True
            self.working.start(tr("Reading the settings"), lambda: self._models.settings(self._kind), self._show)

    def close_page(self) -> None:
        """Empty the key field, end subscription and work under way."""
        self._closed = True
        self.planner.close_part()
        self.key.wipe()
        self.working.close_part()

    def _show(self, settings: ProviderSettings) -> None:
        self._server = settings.base_url
        self.fields.show_settings(settings)
        self.fields.say_given(given_words(self._models.given(self._kind)))
        self.key.look()

    async def _store(self) -> ProviderSettings:
        """Keep what the fields say."""
        async with self._turn:
            wanted = self.fields.settings()
            await self._models.keep(wanted)
            kept = await self._models.settings(self._kind)
            await self._choosing.refresh()
            if not self._closed:
                self.fields.take_kept(wanted, kept)
            return kept

    async def _store_and_look(self) -> KeyPlace | None:
        """Keep what the fields say; where the key of another server is, if it is another one now."""
        kept = await self._store()
        if kept.base_url == self._server:
            return None
        self._server = kept.base_url
        return await self._models.key_place(self._kind)

    def _stored(self, place: KeyPlace | None) -> None:
        if place is not None:
            self.key.take_place(place)
        self.working.said.tell(tr("Saved."))

    def _use(self) -> None:
        self.working.start(tr("Choosing"), self._choose, self._chosen)

    async def _choose(self) -> ProviderSettings:
        kept = await self._store()
        if kept.model:
            await self._choosing.choose(PlannerOption(self._kind, "", self._said(kept)))
        return kept

    def _chosen(self, kept: ProviderSettings) -> None:
        if kept.model:
            self.working.said.tell(tr("{model} plans from the next request on.", model=self._said(kept)))
        else:
            self.working.said.tell(tr("Choose a model first: ask the server, or write its name."), "warn")

    def _said(self, kept: ProviderSettings) -> str:
        return offer_words(kept, self._models.given(self._kind))

    def _try(self) -> None:
        probe = self._choosing.probe
        if probe is not None:
            self.working.start(
                tr("The model plans something small"), lambda: self._try_out(probe),
                lambda lines: self.working.said.tell("\n".join(lines)),
            )

    async def _try_out(self, probe: Probe) -> tuple[str, ...]:
        await self._store()
        return await probe(self._kind)

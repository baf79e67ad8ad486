"""Settings of the database that are damaged: each is taken, or named by its key, and the others are as they were."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest
from damaging import HUGE, damaged

from agent.song.ids import ProjectId
from app.storage import preferences
from app.storage.errors import StorageError
from app.studio.kept_plans import KeptPlans
from app.studio.studio import Studio
from app.viewmodels.edits.effect_presets import PresetBook
from app.viewmodels.preferences import PreferenceStore
from app.viewmodels.timeline.lanes import LaneChoice

EACH = 12
Reading = Callable[[Studio], Awaitable[object]]
SETTINGS: dict[str, tuple[str, Reading]] = {
    "window.habits": ('{"theme":"dark","zoom":120,"keys":[{"action":"edit.undo","keys":["Ctrl+U"]}],"recent":["a"]}',
                      lambda studio: PreferenceStore(studio.store).load()),
    "effects.presets": ('[{"effect":"reverb","name":"Mine","values":{"mix":0.5}}]',
                        lambda studio: PresetBook(studio.store).load()),
    "model.caps": ('{"per_run":1.0,"per_month":10.0}', lambda studio: studio.models.caps()),
    "model.chosen": ('{"provider":"openai","model":"m"}', lambda studio: studio.models.chosen()),
    "review.p": ('{"plan":"0123","decisions":[]}', lambda studio: KeptPlans(studio.store).find(ProjectId("p"))),
    "aside.p": ('{"plans":[{"plan":"0123","decisions":[]}]}',
                lambda studio: KeptPlans(studio.store).aside(ProjectId("p"))),
    "timeline.lanes.p": ("tall", lambda studio: LaneChoice(studio.store, "p").load()),
}


@pytest.mark.parametrize("key", SETTINGS)
def test_a_damaged_setting_is_taken_or_named_by_its_key(studio: Studio, key: str) -> None:
    whole, read = SETTINGS[key]
    dice = random.Random(7)

    async def story() -> None:
        for _ in range(EACH):
            text = damaged(whole.encode(), dice).decode("utf-8", "replace")[: HUGE // 5]
            await studio.store.write(lambda transaction, text=text: preferences.put(transaction, key, text))
            try:
                await read(studio)
            except StorageError as error:
                told = error
                assert key in told.what or key in ("review.p", "aside.p")
                assert told.fix
            for other, (_, reading) in SETTINGS.items():
                if other != key:
                    await reading(studio)

    asyncio.run(story())

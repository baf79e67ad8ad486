"""What the rows of a stored run were foreseen to do, worked out again on the song that the run began with."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from agent.errors import BandleaderError
from app.desktop.review.live_run import LiveRun
from app.desktop.review.proposal import Proposal
from app.desktop.watched import Watched
from app.studio.planning import Planning
from app.studio.store import Store


async def foresee_again(
    shown: Watched[LiveRun | None], store: Store, planning: Planning, wanted: Callable[[], bool]
) -> None:
    """Give the run that is shown the proposal that its rows tell of, if it has none and that is still `wanted` then.

    A run whose song or plan cannot be read any more is shown without.
    """
    live = shown.value
    if live is None or live.proposal is not None or live.view is None or not live.view.state.ended:
        return
    try:
        song = await store.song(live.view.record.base_revision)
        judged = await planning.judge(live.plan, song)
    except BandleaderError:
        return
    if shown.value is live and wanted():
        shown.set(replace(live, proposal=Proposal(live.plan, judged, judged, song)))

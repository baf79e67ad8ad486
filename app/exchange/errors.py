"""What reading and writing files refuses."""

from __future__ import annotations

from agent.errors import BandleaderError, Blame
from agent.fixes import Fix
from agent.message import Text


class ExchangeError(BandleaderError):
    """A file that cannot be read or written; `what` names it. A full or closed disk blames the machine."""

    def __init__(
        self, what: Text, *, why: Text = "", fix: Fix | Text | None = None, blame: Blame = Blame.INPUT
    ) -> None:
        super().__init__(what, why=why, fix=fix)
        self.blame = blame

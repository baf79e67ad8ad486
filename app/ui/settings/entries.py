"""The pages of the settings: their names, words and icons, without what is on them."""

from __future__ import annotations

from app.i18n import tr
from app.studio.models import KINDS, LOCAL
from app.viewmodels.chat.choosing import NAMES

SPENDING = "spending"
SERVERS, MACHINES, FOLDERS, LIBRARY = "servers", "machines", "folders", "library"
WINDOW = "window"
PAGES: tuple[str, ...] = (LOCAL, *KINDS, SPENDING)
"""Names of the pages about planners."""
SERVICE_PAGES: tuple[str, ...] = (SERVERS, MACHINES, FOLDERS, LIBRARY)
"""Names of the pages about services that plans may use."""


def page_names() -> tuple[tuple[str, str, str], ...]:
    """All pages in their order: name, translated title, icon."""
    return (
        (LOCAL, tr("Built-in composer"), "wifi-slash"), ("anthropic", NAMES["anthropic"], "key"),
        ("openai", NAMES["openai"], "key"), ("openai-chat", NAMES["openai-chat"], "plugs-connected"),
        (SPENDING, tr("Spending"), "currency-dollar"), (SERVERS, tr("Tool servers"), "plugs-connected"),
        (MACHINES, tr("Machines"), "desktop"), (FOLDERS, tr("Folders of this project"), "folder"),
        (LIBRARY, tr("Library"), "books"), (WINDOW, tr("Window"), "layout"),
    )

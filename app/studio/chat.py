"""What this program says in the chats of projects, and what others have said there."""

from __future__ import annotations

from agent.song.ids import ProjectId
from app.storage import messages
from app.storage.database import Transaction
from app.storage.records import ChatMessage, MessageId


class Chat:
    """Stores messages in the chats of all projects, and remembers its own, to tell them from those of other
    programs."""

    def __init__(self) -> None:
        self._ours: set[tuple[MessageId, str]] = set()

    def say(self, transaction: Transaction, message: ChatMessage) -> MessageId:
        """Store a message in the caller's transaction; returns its id."""
        stored = messages.append(transaction, message)
        # With its time: the id of what is not stored in the end is given again, perhaps to another program.
        self._ours.add((stored.id, stored.created))
        return stored.id

    def news(self, transaction: Transaction, project: ProjectId, after: MessageId) -> tuple[ChatMessage, ...]:
        """Messages of a project with an id above `after` that other programs have stored, oldest first."""
        said = messages.all_after(transaction, project, after)
        return tuple(one for one in said if (one.id, one.created) not in self._ours)

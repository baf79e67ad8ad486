"""What is said to a message before anything is planned: answers with their links, commands done or offered."""

from __future__ import annotations

from typing import Protocol

from msgspec.structs import replace

from agent.chat.answer import Answer
from agent.chat.messages import ApprovalInWords, Command, Several
from agent.chat.reply import Answered, Reply, ToCarryOut
from app.i18n import tr, trn
from app.studio.planning import PlanningContext
from app.studio.replies import PendingPlan, Replies
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import MessageEntry, now
from app.viewmodels.chat.offers import Offer
from app.viewmodels.chat.performing import Performing
from app.viewmodels.chat.telling import plain
from app.viewmodels.chat.ways import WAYS
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.transport.focus import Focus

_BREAK = "  \n"
"""A line break in Markdown."""


class Stored(Protocol):
    """A project that may be a draft."""

    @property
    def draft(self) -> bool:
        """Whether the project is not stored."""
        ...


class Replying:
    """Answers messages that need no plan; the plan under review is not changed."""

    def __init__(
        self, replies: Replies, conversation: Conversation, reviewing: Reviewing, performing: Performing,
        focus: Focus, project: Stored,
    ) -> None:
        self._replies = replies
        self._conversation = conversation
        self._reviewing = reviewing
        self._focus = focus
        self._project = project
        self.performing = performing

    async def read(self, text: str, stage: PlanningContext) -> Reply:
        """What a message is: an answer, a command, or something to plan. `stage` holds the song that it is about.
        Raises `PlanError` for a text that cannot be read."""
        self._focus.to_approve.set(False)
        proposal = self._reviewing.proposal.value
        waiting = None if proposal is None else PendingPlan(proposal.plan, proposal.ghost)
        return await self._replies.reply(text, stage, ways=WAYS, waiting=waiting)

    async def answer(self, reply: Answered | ToCarryOut) -> None:
        """Add the answer to the conversation, and carry out or offer its commands."""
        match reply:
            case Answered(ApprovalInWords()):
                await self._say(self._approval(reply.answer))
            case Answered(Several(parts), answer):
                commands = [one for one in parts if isinstance(one, Command)]
                if len(commands) == len(parts) and all(one.at_once for one in commands):
                    await self._say(
                        MessageEntry("bandleader", plain(await self.performing.do_all_now(commands)), now())
                    )
                    return
                # one button at a time: the next command is told, and said when the first is done
                offers = (self.performing.offer(one) for one in commands if not one.at_once)
                await self._say(_offering(answer, next((one for one in offers if one is not None), None)))
            case Answered(_, answer):
                await self._say(_words(answer))
            case ToCarryOut(command, answer):
                if command.at_once:
                    await self._say(MessageEntry("bandleader", plain(await self.performing.do_now(command)), now()))
                else:
                    await self._say(_offering(answer, self.performing.offer(command)))

    async def press(self, index: int) -> None:
        """Carry out what the button of entry `index` offers, which removes the button. Raises what prevents it; the
        button comes back then."""
        entry = self._conversation.entries[index]
        if not isinstance(entry, MessageEntry) or entry.offer is None:
            return
        self._conversation.put(index, replace(entry, offer=None))
        try:
            done = await self.performing.do(entry.offer.operation)
        except Exception:
            self._conversation.put(index, entry)
            raise
        note = tr("{label}: {done}", label=entry.offer.label, done=done) if done else entry.offer.label
        self._conversation.put(index, replace(entry, offer=None, note=note))

    def _approval(self, answer: Answer) -> MessageEntry:
        """Where the button is that alone approves; it is ringed until the next message."""
        proposal = self._reviewing.proposal.value
        if proposal is None:
            return _words(answer)
        self._focus.to_approve.set(True)
        return MessageEntry("bandleader", approval_words(proposal), now())

    async def _say(self, words: MessageEntry) -> None:
        """A draft has no place to keep it in."""
        self._conversation.add(words)
        if not self._project.draft:
            await self._conversation.keep("bandleader", words.text)


def approve_words(count: int) -> str:
    """The label of the button that approves so many rows."""
    return tr("Approve and run {count}", count=count)


def approval_words(proposal: Proposal) -> str:
    """The answer to an approval in words, as Markdown."""
    said = tr("Applying is yours alone, so words never do it.")
    if not proposal.approved:
        return f"{said} {tr('No row of the plan is ticked: tick what you want first.')}"
    press = tr("Press **{button}** under the plan.", button=approve_words(len(proposal.approved)))
    left = len(proposal.plan.steps) - len(proposal.approved)
    rest = trn("{count} row is not ticked and not part of it.", "{count} rows are not ticked and not part of it.", left)
    return f"{said} {press} {rest}" if left else f"{said} {press}"


def _offering(answer: Answer, offer: Offer | None) -> MessageEntry:
    """An answer with its button; where this names what it does, how else that is done need not be told."""
    if offer is not None and offer.named:
        return MessageEntry("bandleader", tr("Nothing is changed yet; one click does it."), now(), offer=offer)
    return replace(_words(answer), offer=offer)


def _words(answer: Answer) -> MessageEntry:
    lines = (plain(line) for line in answer.text.splitlines())
    return MessageEntry("bandleader", _BREAK.join(lines), now(), links=answer.links)



"""What is said to a message before anything is planned: answers with their links, commands done or offered."""

from __future__ import annotations

from typing import Protocol

from msgspec.structs import replace

from agent.chat.answer import Answer
from agent.chat.context import Way
from agent.chat.messages import Action, ApprovalInWords, Command, Several
from agent.chat.reply import Answered, Reply, ToCarryOut
from app.i18n import tr, trn
from app.studio.planning import PlanningContext
from app.studio.replies import PendingPlan, Replies, Ways
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import MessageEntry, now
from app.viewmodels.chat.offers import Offer
from app.viewmodels.chat.performing import Performing
from app.viewmodels.chat.telling import plain
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
        return MessageEntry("bandleader", _approval_words(proposal), now())

    async def _say(self, words: MessageEntry) -> None:
        """A draft has no place to keep it in."""
        self._conversation.add(words)
        if not self._project.draft:
            await self._conversation.keep("bandleader", words.text)


def approve_words(count: int) -> str:
    """The label of the button that approves so many rows."""
    return tr("Approve and run {count}", count=count)


def _approval_words(proposal: Proposal) -> str:
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


_ASK = "Ask for it here, such as “{}”: you get a plan, and nothing changes before you approve it."
WAYS: Ways = dict[Action, Way]({
    "play": Way("Space plays and stops, as does Play in the bar at the top."),
    "stop": Way("Space stops what plays; Plan → Stop (Ctrl+.) stops an answer or a run."),
    "loop": Way("Choose bars in the ruler, then Transport → Loop the selection (Shift+L); L turns it on and off."),
    "solo": Way("S on a track's header, or the key S, lets you hear it alone."),
    "listen_without": Way("M on a track's header, or the key M, mutes it while you listen; M again brings it back."),
    "go_to": Way("Click in the ruler; Home and End go to the song's start and end.",
                 there="Click bar {bar} in the ruler."),
    "zoom": Way("The keys + and −, 0 for the whole song, Z for what is selected; all are in the View menu."),
    "mute": Way("M on a track's header mutes it, or the key M for the track that is selected."),
    "metronome": Way("There is no metronome here: ask for “a count-in of 2 bars” or “a hi-hat on every beat” instead."),
    "speakers": Way("How loud the speakers are is set on your computer; “make everything louder” changes the song."),
    "rename": Way("Edit → Rename (F2) names the clip or track that is selected; a section takes a double click. "
                  "A song keeps the name of its project."),
    "save": Way("There is nothing to save: all is stored at once."),
    "undo": Way("Edit → Undo (Ctrl+Z) takes the last change back, as a new version, also after a restart; nothing is "
                "lost."),
    "redo": Way("Edit → Redo (Ctrl+Shift+Z) brings back what was undone."),
    "restore": Way("Select a version in the history, then Edit → Restore the iteration: it comes back as a new one."),
    "lock": Way("Track → Lock track, Lock clips or Lock bars keeps what is selected from every plan."),
    "unlock": Way("Track → All locks… shows what is locked and lets it go."),
    "export": Way("File → Export… (Ctrl+E) asks for format and place."),
    "print": Way("File → Export… (Ctrl+E) writes a lead sheet, with tune, chords and form, as a page that any browser "
                 "prints or saves as PDF; scores of all parts are for a notation program, which opens MIDI."),
    "remove": Way("Ask for it, such as “remove the bass”, or delete the track by its menu."),
    "import": Way("File → Open MIDI… (Ctrl+O) opens a file as a new song; File → Import MIDI into this song… adds it "
                  "to this one."),
    "new_song": Way("File → New song (Ctrl+N). This one stays in your projects."),
    "open": Way("File → Open project… (Ctrl+Shift+O) lists all of them."),
    "discard": Way("Discard plan under the plan takes it away; nothing of it has run."),
    "approve": Way("Approve and run, under the plan, carries out exactly the rows that are ticked."),
    "reject": Way("Untick a row, or press X in the plan; Shift+X rejects it with a reason."),
    "preview": Way("Hear the plan (H) plays the song as it would become; B switches between song and plan."),
    "compare": Way("Select two versions in the history, then Edit → Compare iterations."),
    "key": Way(_ASK.format("change the key to G major")), "meter": Way(_ASK.format("change to 3/4")),
    "tempo": Way(f"{_ASK.format('tempo 96 bpm')} Or click the tempo in the bar at the top."),
    "volume": Way("Drag the fader in the track's header or in the mixer (Ctrl+3), or ask for it here."),
    "effect": Way("The mixer (Ctrl+3) holds each track's effects. Or ask for it here, such as “more reverb on the "
                  "strings”."),
    "track": Way("Track → Add track… (Ctrl+Shift+T) adds an empty one. Or ask for it here, such as “add strings to the "
                 "chorus”."),
    "notes": Way("Double-click a clip: its notes are written and edited in the piano roll (Ctrl+2)."),
    "model": Way("The button under the request box chooses who plans; keys are kept in File → Settings… (Ctrl+,)."),
    "soundfont": Way("The menu of a track's header has SoundFont of the track and SoundFont of the song, each with "
                     "From a file…; or ask for it here, such as “play the strings from my-bank.sf2”."),
    "shortcuts": Way("Help → Keyboard shortcuts (F1) lists all keys, and changes them."),
    "theme": Way("View → Dark theme or Light theme; more is in File → Settings… (Ctrl+,)."),
    "ask": Way("Write the question here, in the chat."), "compose": Way("Write it here, in the chat."),
    "list_styles": Way("Ask “which styles have you?” here."),
    "list_instruments": Way("Track → Add track… lists all instruments by family."),
    "list_effects": Way("Add an effect in the mixer (Ctrl+3): all of them are listed."),
    "history": Way("Window → Show history lists all versions."),
})

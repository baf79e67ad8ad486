"""Every action of the window in one table: its words, keys and menu, what it calls, and when it is possible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.i18n import tr
from app.studio.naming import in_brief
from app.ui.shell import action_context as on
from app.ui.shell.action_context import ActionContext, Need
from app.ui.shell.commands import Commands
from app.ui.shell.menus import Menu

_LONGEST = 44
"""Characters of a text that the person wrote, as far as a menu shows them."""


@dataclass(frozen=True)
class Action:
    """One row of the table. `text` is English, translated where it is shown; the texts of `words` are translated.

    `keys` are the first shortcuts; those that are single letters act only outside text fields, as Qt gives those first.
    A person may change them. `group` separates: where it differs from the row before, the menu has a separator. `need`
    returns why the action is disabled, empty if it is enabled. `words` replaces `text` where the label depends on the
    situation ("Undo move"). `checked` makes the action checkable and returns its state."""

    id: str
    text: str
    menu: Menu
    call: Callable[[Commands], object]
    keys: tuple[str, ...] = ()
    icon: str = ""
    group: int = 0
    need: Need = on.need_open
    words: Callable[[ActionContext], str] | None = None
    checked: Callable[[ActionContext], bool] | None = None


def _approve(commands: Commands) -> None:
    """Approve the plan that has the keyboard; from elsewhere the key leads to the plan, and runs nothing."""
    if commands.plans.in_front:
        commands.bench.plan("run")
    else:
        commands.views.focus("plan")


_FILE = (
    Action("file.new", "New song", Menu.FILE, lambda c: c.files.new(), ("Ctrl+N",), "file-plus"),
    Action("file.open", "Open project…", Menu.FILE, lambda c: c.files.choose_project(), ("Ctrl+Shift+O",),
           "folder-open"),
    Action("file.open_midi", "Open MIDI…", Menu.FILE, lambda c: c.files.choose_midi(), ("Ctrl+O",), "music-notes"),
    Action("file.import_midi", "Import MIDI into this song…", Menu.FILE, lambda c: c.files.choose_import(), (),
           "download-simple", 0, on.need_import),
    Action("file.start_page", "Start page", Menu.FILE, lambda c: c.files.start_page(), (), "house"),
    Action("file.export", "Export…", Menu.FILE, lambda c: c.files.export(), ("Ctrl+E",), "export", 1, on.need_export),
    Action("file.settings", "Settings…", Menu.FILE, lambda c: c.views.settings(), ("Ctrl+,",), "gear", 2),
    Action("file.quit", "Quit", Menu.FILE, lambda c: c.views.quit(), ("Ctrl+Q",), "sign-out", 2, on.always),
)
_EDIT = (
    Action("edit.undo", "Undo", Menu.EDIT, lambda c: c.edits.undo(), ("Ctrl+Z",), "arrow-counter-clockwise", 0,
           on.need_undo, lambda now: tr("Undo: {what}", what=in_brief(now.undo, _LONGEST)) if now.undo else tr("Undo")),
    Action("edit.redo", "Redo", Menu.EDIT, lambda c: c.edits.redo(), ("Ctrl+Shift+Z", "Ctrl+Y"), "arrow-clockwise", 0,
           on.need_redo, lambda now: tr("Redo: {what}", what=in_brief(now.redo, _LONGEST)) if now.redo else tr("Redo")),
    Action("edit.undo_list", "Undo history…", Menu.EDIT, lambda c: c.views.undo_list(), ("Ctrl+Alt+Z",),
           "clock-counter-clockwise", 0, on.need_undo),
    Action("edit.duplicate", "Duplicate clips", Menu.EDIT, lambda c: c.bench.timeline("duplicate"),
           ("Ctrl+D",),
           "copy", 1, on.need_clips),
    Action("edit.delete", "Delete clips", Menu.EDIT, lambda c: c.bench.timeline("delete"), ("Del",),
           "eraser", 1, on.need_clips),
    Action("edit.split", "Split clips at the playhead", Menu.EDIT, lambda c: c.bench.timeline("split"),
           ("Ctrl+T",), "scissors", 1, on.need_named),
    Action("edit.rename", "Rename or edit", Menu.EDIT, lambda c: c.edits.rename(), ("F2",),
           "pencil-simple", 1, on.need_named),
    Action("edit.select_all", "Select all", Menu.EDIT, lambda c: c.edits.select_all(), ("Ctrl+A",),
           "selection-all", 2, on.need_timeline),
    Action("history.compare", "Compare iterations", Menu.EDIT, lambda c: c.bench.iterations.compare_selected(),
           (), "git-diff", 3, on.need_timeline),
    Action("history.restore", "Restore the iteration", Menu.EDIT,
           lambda c: c.bench.iterations.restore_selected(), (), "clock-counter-clockwise", 3, on.need_timeline),
    Action("history.branch", "New branch here", Menu.EDIT, lambda c: c.bench.iterations.branch_selected(),
           ("Ctrl+B",), "git-branch", 3, on.need_timeline),
)
_VIEW = (
    Action("view.overlay", "Plan overlay", Menu.VIEW, lambda c: c.views.overlay(), ("G",), "eye", 0,
           checked=lambda now: now.overlay),
    Action("view.zoom_in", "Zoom in", Menu.VIEW, lambda c: c.bench.timeline("zoom in"), ("+", "="),
           "magnifying-glass-plus", 1, on.need_timeline),
    Action("view.zoom_out", "Zoom out", Menu.VIEW, lambda c: c.bench.timeline("zoom out"), ("-",),
           "magnifying-glass-minus", 1, on.need_timeline),
    Action("view.zoom_song", "Whole song", Menu.VIEW, lambda c: c.bench.timeline("zoom song"), ("0",),
           "arrows-out-line-horizontal",
           1, on.need_timeline),
    Action("view.zoom_selection", "Zoom to selection", Menu.VIEW, lambda c: c.bench.timeline("zoom selection"), ("Z",),
           "magnifying-glass-plus", 1, on.need_stretch),
    Action("view.theme_system", "Theme of the system", Menu.VIEW, lambda c: c.views.theme("system"), (), "", 2,
           on.always,
           checked=lambda now: now.theme == "system"),
    Action("view.theme_dark", "Dark theme", Menu.VIEW, lambda c: c.views.theme("dark"), (), "", 2, on.always,
           checked=lambda now: now.theme == "dark"),
    Action("view.theme_light", "Light theme", Menu.VIEW, lambda c: c.views.theme("light"), (), "", 2, on.always,
           checked=lambda now: now.theme == "light"),
)
_TRACK = (
    Action("track.add", "Add track…", Menu.TRACK, lambda c: c.bench.timeline("add track"), ("Ctrl+Shift+T",),
           "plus-circle", 0, on.need_timeline),
    Action("track.duplicate", "Duplicate track", Menu.TRACK, lambda c: c.bench.timeline("duplicate track"), (),
           "copy", 0, on.need_track),
    Action("track.delete", "Delete track", Menu.TRACK, lambda c: c.bench.timeline("delete track"), (), "trash", 0,
           on.need_track),
    Action("track.mute", "Mute track", Menu.TRACK, lambda c: c.bench.timeline("mute"), ("M",), "speaker-slash",
           0,
           on.need_track),
    Action("track.solo", "Solo track", Menu.TRACK, lambda c: c.bench.timeline("solo"), ("S",), "headphones", 0,
           on.need_track),
    Action("track.lock", "Lock track", Menu.TRACK, lambda c: c.edits.lock_track(), (), "lock-simple", 1,
           on.need_track,
           checked=lambda now: now.track_locked),
    Action("track.lock_clips", "Lock clips", Menu.TRACK, lambda c: c.edits.lock_clips(), (), "lock-simple", 1,
           on.need_clips, checked=lambda now: now.clips_locked),
    Action("track.lock_bars", "Lock bars", Menu.TRACK, lambda c: c.edits.lock_bars(), (), "lock-simple", 1,
           on.need_bars, lambda now: _lock_bars(now.bars), lambda now: now.bars_locked),
    Action("track.locks", "All locks…", Menu.TRACK, lambda c: c.views.locks(), (), "lock-simple-open", 1),
)
_PLAN = (
    Action("plan.request", "Write a request", Menu.PLAN, lambda c: c.views.focus("chat"), ("Ctrl+L",), "chat-text"),
    Action("plan.attach", "Attach the selection to the request", Menu.PLAN, lambda c: c.bench.attach(),
           ("Ctrl+Shift+L",), "paperclip"),
    Action("plan.stop", "Stop", Menu.PLAN, lambda c: c.plans.stop(), ("Ctrl+.",), "stop-fill", 0, on.need_work,
           lambda now: tr("Stop the run") if now.running or (now.paused and not now.planning)
           else tr("Stop the answer") if now.planning else tr("Stop")),
    Action("plan.run", "Approve and run (in the plan)", Menu.PLAN, _approve, ("Ctrl+Enter",),
           "check", 1, on.need_approved,
           lambda now: tr("Approve and run {count}", count=now.approved) if now.approved else tr("Approve and run")),
    Action("plan.hear", "Hear the plan", Menu.PLAN, lambda c: c.bench.plan("hear"), ("H",), "ear", 1, on.need_ghost),
    Action("plan.side", "Listen to A or B", Menu.PLAN, lambda c: c.bench.plan("side"), ("B",), "swap", 1,
           on.need_other,
           checked=lambda now: now.plan_side),
    Action("plan.discard", "Discard plan…", Menu.PLAN, lambda c: c.bench.plan("discard"), (), "trash", 1,
           on.need_plan),
    Action("plan.toggle_row", "Approve or reject the row", Menu.PLAN, lambda c: c.plans.toggle_row(), ("X",),
           "check-square", 2, on.need_plan),
    Action("plan.all", "Approve all rows", Menu.PLAN, lambda c: c.bench.plan("approve all"), (), "checks", 2,
           on.need_plan),
    Action("plan.none", "Reject all rows", Menu.PLAN, lambda c: c.bench.plan("reject all"), ("Ctrl+Shift+A",),
           "minus-circle", 2, on.need_plan),
    Action("plan.reject_reason", "Reject with a reason…", Menu.PLAN, lambda c: c.bench.plan("reason"),
           ("Shift+X",), "minus-circle", 2, on.need_plan),
    Action("plan.ask_again", "Ask again for the selected steps…", Menu.PLAN, lambda c: c.bench.plan("again"), (),
           "arrow-clockwise", 2, on.need_plan),
    Action("plan.ask_afresh", "Ask again for the whole plan", Menu.PLAN, lambda c: c.bench.plan("afresh"), (),
           "arrows-clockwise", 2, on.need_plan),
    Action("plan.undo", "Take back the last decision", Menu.PLAN, lambda c: c.bench.plan("undo"), (),
           "arrow-counter-clockwise", 2, on.need_plan),
    Action("plan.redo", "Decide it again", Menu.PLAN, lambda c: c.bench.plan("redo"), (), "arrow-clockwise", 2,
           on.need_plan),
    Action("plan.save", "Save plan…", Menu.PLAN, lambda c: c.bench.plan("save"), (), "floppy-disk", 2,
           on.need_plan),
    Action("plan.open", "Open plan…", Menu.PLAN, lambda c: c.bench.plan("open"), (), "folder-open", 2,
           on.need_timeline),
    Action("plan.pause", "Pause the run", Menu.PLAN, lambda c: c.bench.plan("pause"), ("Ctrl+Shift+P",), "pause", 3,
           on.need_pause, lambda now: tr("Go on with the run") if now.paused else tr("Pause the run")),
    Action("plan.events", "Show the step's events", Menu.PLAN, lambda c: c.bench.plan("events"), ("Ctrl+Shift+E",),
           "list-bullets", 3, on.need_shown_run),
    Action("plan.retry", "Retry failed steps", Menu.PLAN, lambda c: c.bench.plan("retry"), ("Ctrl+R",),
           "arrow-clockwise", 3,
           on.need_failed),
    Action("plan.resume", "Go on with the unfinished run", Menu.PLAN, lambda c: c.plans.resume(), (), "play", 3,
           on.need_unfinished),
    Action("plan.end", "End the unfinished run", Menu.PLAN, lambda c: c.plans.end(), (), "stop", 3,
           on.need_unfinished),
    Action("plan.roll_back", "Roll back the run", Menu.PLAN, lambda c: c.bench.plan("roll back"), (),
           "arrow-counter-clockwise",
           3, on.need_run),
    Action("plan.example1", "First request of the start page", Menu.PLAN, lambda c: c.views.example(0), ("Ctrl+1",),
           "", 4, on.need_welcome),
    Action("plan.example2", "Second request of the start page", Menu.PLAN, lambda c: c.views.example(1), ("Ctrl+2",),
           "", 4, on.need_welcome),
    Action("plan.example3", "Third request of the start page", Menu.PLAN, lambda c: c.views.example(2), ("Ctrl+3",),
           "", 4, on.need_welcome),
)
_TRANSPORT = (
    Action("transport.play", "Play", Menu.TRANSPORT, lambda c: c.bench.opened.playback.toggle(),
           ("Space", "Shift+Space"), "play-fill",
           words=lambda now: tr("Stop") if now.playing else tr("Play")),
    Action("transport.start", "Song start", Menu.TRANSPORT, lambda c: c.plays.to_start(), ("Home",), "skip-back"),
    Action("transport.end", "Song end", Menu.TRANSPORT, lambda c: c.plays.to_end(), ("End",), "skip-forward"),
    Action("transport.loop", "Loop", Menu.TRANSPORT, lambda c: c.plays.loop(), ("L",), "repeat", 1, on.need_loop,
           checked=lambda now: now.looping),
    Action("transport.loop_selection", "Loop the selection", Menu.TRANSPORT,
           lambda c: c.bench.timeline("loop"), ("Shift+L",), "", 1, on.need_stretch),
    Action("transport.follow", "Follow the playhead", Menu.TRANSPORT, lambda c: c.views.follow(), ("F",),
           "arrows-left-right", 1, on.need_timeline, checked=lambda now: now.follow),
)
_WINDOW = (
    Action("window.find", "Find a command…", Menu.WINDOW, lambda c: c.views.find_command(), ("Ctrl+K",),
           "magnifying-glass", 0, on.always),
    Action("window.plan", "Go to the plan", Menu.WINDOW, lambda c: c.views.focus("plan"), ("Ctrl+1",),
           "list-checks", 1,
           on.need_timeline),
    Action("window.pianoroll", "Go to the piano roll", Menu.WINDOW, lambda c: c.views.focus("pianoroll"), ("Ctrl+2",),
           "piano-keys", 1, on.need_timeline),
    Action("window.mixer", "Go to the mixer", Menu.WINDOW, lambda c: c.views.focus("mixer"), ("Ctrl+3",),
           "faders", 1, on.need_timeline),
    Action("window.events", "Go to the events", Menu.WINDOW, lambda c: c.views.focus("events"), ("Ctrl+4",),
           "list-bullets", 1, on.need_timeline),
    Action("window.timeline", "Back to the timeline", Menu.WINDOW, lambda c: c.views.focus("timeline"), ("Esc",),
           "", 1,
           on.need_timeline),
    Action("window.next", "Next part", Menu.WINDOW, lambda c: c.views.next_part(1), ("F6",), "", 1),
    Action("window.previous", "Previous part", Menu.WINDOW, lambda c: c.views.next_part(-1), ("Shift+F6",), "", 1),
    Action("window.chat_dock", "Show chat", Menu.WINDOW, lambda c: c.views.toggle("chat"), (), "", 2,
           checked=lambda now: "chat" in now.shown),
    Action("window.history_dock", "Show history", Menu.WINDOW, lambda c: c.views.toggle("history"), (), "", 2,
           checked=lambda now: "history" in now.shown),
    Action("window.plan_dock", "Show plan", Menu.WINDOW, lambda c: c.views.toggle("plan"), (), "", 2,
           on.need_timeline,
           checked=lambda now: "plan" in now.shown),
    Action("window.reset", "Reset layout", Menu.WINDOW, lambda c: c.views.reset_layout(), (), "layout", 3, on.always),
    Action("window.full_screen", "Full screen", Menu.WINDOW, lambda c: c.views.full_screen(), ("F11",), "", 3,
           on.always),
)
_HELP = (
    Action("help.shortcuts", "Keyboard shortcuts", Menu.HELP, lambda c: c.views.shortcuts(), ("F1",), "keyboard", 0,
           on.always),
    Action("help.logs", "Show log folder", Menu.HELP, lambda c: c.views.show_logs(), (), "folder", 0),
    Action("help.about", "About Bandleader", Menu.HELP, lambda c: c.views.about(), (), "baton", 1, on.always),
)


def _lock_bars(bars: tuple[int, int] | None) -> str:
    if bars is None:
        return tr("Lock bars")
    return tr("Lock bars {first}–{last}", first=bars[0], last=bars[1])


def text_of(action: Action) -> str:
    """The translated label that does not depend on the situation."""
    return tr(action.text)


ACTIONS: tuple[Action, ...] = (*_FILE, *_EDIT, *_VIEW, *_TRACK, *_PLAN, *_TRANSPORT, *_WINDOW, *_HELP)
"""All actions of the window, in the order of the menus."""

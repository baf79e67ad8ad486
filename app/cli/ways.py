"""How things are done at the command line, for answers that name what to type."""

from __future__ import annotations

from agent.chat.context import Way
from agent.chat.messages import Action
from app.studio.replies import Ways

_WINDOW = "`bandleader` opens it"


def _in_window(sentence: str) -> Way:
    """Something that only the window does."""
    return Way(f"{sentence} in the window ({_WINDOW}); there is no command for it.")


_COMPOSE = 'bandleader compose {request}{project}'
WAYS: Ways = dict[Action, Way]({
    "play": _in_window("Playing is done"), "stop": _in_window("Playing is started and stopped"),
    "loop": _in_window("Loops are set"), "solo": _in_window("Single parts are heard"),
    "listen_without": _in_window("Parts are muted for listening"), "go_to": _in_window("The playhead is moved"),
    "zoom": _in_window("Zooming is done"), "mute": _in_window("Tracks are muted by their M"),
    "rename": _in_window("Names are given by a double click"),
    "save": Way("There is nothing to save: all is stored at once."),
    "undo": Way("Undo brings the version before back, and nothing is lost.", "bandleader restore {undo}{project}"),
    "redo": Way("Redo brings the version back that was undone.", "bandleader restore {redo}{project}"),
    "restore": Way("An earlier version comes back as a new one.", "bandleader restore {version}{project}"),
    "lock": Way("A lock is given with a request.", 'bandleader compose {request} --lock {lock}{project}'),
    "unlock": Way("At the command line a lock lasts for one request: leave --lock out.", _COMPOSE),
    "export": Way("The song is written to a file.", "bandleader export {format}{project}"),
    "print": Way("Sheet music is not drawn here: a notation program such as MuseScore opens the song as MIDI, prints "
                 "it and saves it as PDF.", "bandleader export mid{project}"),
    "remove": Way("Ask for it.", 'bandleader compose "remove the bass"{project}'),
    "import": Way("A MIDI file becomes the song of a project.", "bandleader import FILE{project}"),
    "new_song": Way("A new song is a new project.", "bandleader projects new NAME"),
    "open": Way("A project is named with --project; all are listed.", "bandleader projects"),
    "discard": Way("A plan changes nothing before you run it, so it can be left; of the queue it is taken so.",
                   "bandleader runs cancel ID"),
    "approve": Way("A plan is run by its hash, as `plan` shows it.", "bandleader run PLAN.json --approve HASH"),
    "reject": _in_window("Single rows are rejected"), "preview": _in_window("A plan is heard before it is applied"),
    "compare": Way("Two versions are compared note by note.", "bandleader diff A B{project}"),
    "key": Way("Ask for it.", 'bandleader compose "change the key to G major"{project}'),
    "meter": Way("Ask for it.", 'bandleader compose "change to 3/4"{project}'),
    "tempo": Way("Ask for it.", 'bandleader compose "tempo 96 bpm"{project}'),
    "volume": Way("Ask for it.", 'bandleader compose "make the bass louder"{project}'),
    "effect": Way("Ask for it.", 'bandleader compose "more reverb on the strings"{project}'),
    "track": Way("Ask for it.", 'bandleader compose "add strings to the chorus"{project}'),
    "notes": _in_window("Notes are written and edited in the piano roll"),
    "model": Way("A model is chosen with --provider and --model, once its key is set.", "bandleader keys set PROVIDER"),
    "theme": _in_window("How the window looks is set under Settings"),
    "ask": Way("Questions are answered.", 'bandleader ask "QUESTION"{project}'),
    "compose": Way("This command plans it.", _COMPOSE),
    "list_styles": Way("All styles are listed.", "bandleader list styles"),
    "list_instruments": Way("All instruments are listed.", "bandleader list instruments"),
    "list_effects": Way("All effects are listed.", "bandleader list effects"),
    "history": Way("All versions are listed.", "bandleader history{project}"),
})

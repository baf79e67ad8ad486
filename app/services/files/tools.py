"""The tools of the service of files, as plans know them."""

from __future__ import annotations

from agent.plan.tool import ToolSpec
from agent.services.schemas import input_schema, result_schema
from app.services.files import shapes

SERVICE = "files"
LIST, READ, WRITE, COPY = "list_files", "read_text", "write_text", "copy_file"
IMPORT, EXPORT = "import_midi", "export_midi"


def file_tools() -> tuple[ToolSpec, ...]:
    """The tools of the service of files. Writers are not repeated after a crash: the service is asked whether the file
    exists."""
    return (
        ToolSpec(LIST, SERVICE, "1", "What lies in an allowed folder; without a folder: which folders are allowed.",
                 input_schema(shapes.ListFiles), result_schema(shapes.FilesListed), safe_to_repeat=True),
        ToolSpec(READ, SERVICE, "1", "The text of a file in an allowed folder.",
                 input_schema(shapes.ReadText), result_schema(shapes.TextRead), safe_to_repeat=True),
        ToolSpec(WRITE, SERVICE, "1", "Write a text, or the lines of a list, to a file in a writable folder; a path "
                 "that is not whole begins in the export folder. Never overwrites without `replace`.",
                 input_schema(shapes.WriteText), result_schema(shapes.FileWritten), effect="files", probes=True),
        ToolSpec(COPY, SERVICE, "1", "Copy a file into a writable folder. Never overwrites without `replace`.",
                 input_schema(shapes.CopyFile), result_schema(shapes.FileWritten), effect="files", probes=True),
        ToolSpec(IMPORT, SERVICE, "1", "Add the tracks of a MIDI file to the song, from a beat on. The song keeps "
                 "its tempo and meter unless `use_tempo` or `use_meter` say otherwise.",
                 input_schema(shapes.ImportMidi), result_schema(shapes.MidiImported), changes_song=True,
                 effect="song", safe_to_repeat=True),
        ToolSpec(EXPORT, SERVICE, "1", "Write the song as it is now to a MIDI file in a writable folder. Never "
                 "overwrites without `replace`.",
                 input_schema(shapes.ExportMidi), result_schema(shapes.MidiExported), reads_song=True, effect="files",
                 probes=True),
    )

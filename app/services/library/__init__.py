"""The library: what ships with the program, and the user's own MIDI files and samples."""

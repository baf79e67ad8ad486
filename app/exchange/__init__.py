"""File formats of others: MIDI in and out."""

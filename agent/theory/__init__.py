"""Pitch, scales, chords, key finding and the measures of the musical gate."""

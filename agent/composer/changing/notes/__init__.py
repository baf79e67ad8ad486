"""Changing notes: what an operation does to the tones of one track or of the whole band."""

"""Changing notes: what a deed does to the tones of one track or of the whole band."""

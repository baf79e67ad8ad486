"""Faders, meters and effects of every track and of the master."""

"""Telling a change: its rows, in order, and the asks by which it is measured."""

"""The main window: places things, has no logic."""

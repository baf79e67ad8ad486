"""The run that the window shows, and what is heard of it."""

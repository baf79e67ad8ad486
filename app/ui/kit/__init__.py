"""What every feature of the window is made of: theme, icons, tasks, small widgets."""

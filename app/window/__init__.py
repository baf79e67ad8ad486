"""Starting and ending the window."""

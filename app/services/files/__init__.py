"""Files that steps read and write, only inside folders that the user allowed."""

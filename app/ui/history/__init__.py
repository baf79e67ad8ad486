"""The iterations of a project as a tree: seen, compared, restored."""

"""The desktop application without its window: the open project and what views of it share."""

"""Changes that are seen at once and whole: frozen updates, an overlay while a project loads, refreshes one by one."""

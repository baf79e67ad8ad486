"""Settings of services: servers of tools, studio machines, folders, the user's library."""

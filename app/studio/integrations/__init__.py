"""What the person has opened to services: folders, their library, servers of tools, studio machines."""

"""Servers of tools that the user added, spoken to by the Model Context Protocol."""

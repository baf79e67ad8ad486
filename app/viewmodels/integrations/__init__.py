"""What services are let in to, as the settings show it."""

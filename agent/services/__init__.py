"""What a step can call: the Tool and Service protocols, the registry, and the song service."""

"""What a model is told: the form of its answer, tools, library, song, talk and request, and how much of it has room."""

"""What a person does with the window, by a real pointer and keyboard on a screen of its own."""

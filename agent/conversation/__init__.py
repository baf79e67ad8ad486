"""What is said between a person, Bandleader and a model: messages and the transcript that is sent."""

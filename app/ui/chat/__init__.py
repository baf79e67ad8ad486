"""The conversation: messages, work, plans and questions, and the box to write requests in."""

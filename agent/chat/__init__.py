"""What kind of saying a message is, and the answers that need no plan. Pure, and without a model."""

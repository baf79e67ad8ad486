"""The words between a person and the agent."""

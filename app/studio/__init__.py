"""The application without a window: workspace, history, runs."""

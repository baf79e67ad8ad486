"""Request, plan, decisions, run: one readable state machine, and the ports it needs."""

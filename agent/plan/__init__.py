"""Plans as values: steps, references, order, canonical form, hash and the ledger."""

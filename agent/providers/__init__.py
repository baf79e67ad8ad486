"""Language models behind one protocol: adapters, retries, prices. The only room that reaches the network."""

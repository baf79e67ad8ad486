"""One step of a plan: in words, in drawings, and as a form."""

"""One planning: calls, looking things up, rest of cut answers, words in between, rounds of mending, and parts."""

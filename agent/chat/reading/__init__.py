"""From words to a message of a closed list, before anything is planned."""

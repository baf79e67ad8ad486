"""Small widgets that more than one room places."""

"""Draws from the estimates: the right law, from the right rows, by the given seed."""

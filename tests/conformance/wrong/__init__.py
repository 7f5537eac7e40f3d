"""Implementations with one planted mistake each: what the vectors and the diagnosis are worth."""

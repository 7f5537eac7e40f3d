"""Planted faults: plausible mistakes, each with the tests that must catch it."""

"""Tests of the proofs by ball arithmetic."""

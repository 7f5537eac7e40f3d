"""Random sequences of calls, and random bytes for every reader."""

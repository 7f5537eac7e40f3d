"""The gates of the benchmarks: what they must notice, and what they must not."""

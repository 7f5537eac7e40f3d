"""Degenerate data: each ends in a value with a status, or in a named error; never NaN, never without end."""

"""Everything that is not a claim of the paper: parity, worked examples, symmetry, errors, faults."""

"""The checks under many versions, kernels and instruction sets: `python -m tests.machines`."""

"""How many wrong programs the tests notice: `python -m tests.mutation`, see `tests/MUTATION.md`."""

"""`python -m rkde.cli`: the program, for a Python whose scripts are not on the path."""

from rkde.cli import main

main()

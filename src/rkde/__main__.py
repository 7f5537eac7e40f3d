"""`python -m rkde` is the command `rkde`."""

from rkde.cli import main

if __name__ == "__main__":
    main()

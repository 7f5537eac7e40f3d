"""Every operation of every candidate against the reference at 40 digits, within derived bounds."""

"""Tests of what a limit says about itself: its certificate, its error bounds, its gap."""

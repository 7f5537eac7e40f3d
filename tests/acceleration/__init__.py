"""Tests of the accelerated iteration."""

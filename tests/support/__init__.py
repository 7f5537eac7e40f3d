"""What several test folders share: the implementations under test, data, exact comparison, error analysis."""

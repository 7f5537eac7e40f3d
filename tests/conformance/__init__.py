"""The line protocol, the golden vectors, and the judge that compares answers."""

"""What Sphinx needs to build this documentation, and what checks the pages that it built."""

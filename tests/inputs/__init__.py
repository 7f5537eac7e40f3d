"""Bad and extreme inputs at every door of the package, each with its decided outcome: `cases.toml`."""

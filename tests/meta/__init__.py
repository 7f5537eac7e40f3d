"""The project judged as text and as files: rules, layout, distributions, documents."""

"""Random problems of every regime, all engines against the reference, as shares of the derived bounds."""

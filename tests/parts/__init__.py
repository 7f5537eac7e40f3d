"""The small parts beside the estimator: depth, ranks, detection, divergence, variable bandwidths."""

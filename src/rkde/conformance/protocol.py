"""What the protocol demands of an answer, as data: the fields of each operation and its error kinds."""

from typing import Final

PROTOCOL_VERSION: Final = 1

# Operation -> the fields that each answer with a value must hold; `from_below` of `influence` is due on a
# kink only, so it is not among them.
ANSWER_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "hello": ("name", "version", "protocol", "operations"),
    "kernel": ("log_kernel",),
    "loss": ("rho", "psi", "phi", "q", "q_left"),
    "bandwidth": ("bandwidth",),
    "residual_norms": ("residual_norms",),
    "objective": ("objective",),
    "step": ("weights", "objective"),
    "median": ("weights", "residual_norms", "certificate", "error_bound"),
    "thresholds": ("a", "b", "c"),
    "fixed_point": ("weights", "objective", "certificate", "error_bound", "weights_error_bound"),
    "log_density": ("log_density",),
    "influence": ("if_coef", "if_coef_new", "influence", "if_at_new", "if_l2_norm", "one_sided"),
    "vkde": ("bandwidths", "log_density"),
    "depth": ("depth",),
    "signed_rank": ("rank_sum_1", "rank_sum_2", "statistic", "zeros", "p_value"),
    "auc": ("auc",),
    "rkde": (
        "bandwidth",
        "a",
        "b",
        "c",
        "weights",
        "objective",
        "certificate",
        "error_bound",
        "weights_error_bound",
        "status",
    ),
}  # fmt: skip

# What an adapter may say about itself beside that.
OPTIONAL_HELLO: Final[tuple[str, ...]] = ("language", "homepage", "licence", "precision")

# What an answer proves about a limit.
CERTIFICATE_FIELDS: Final = frozenset({"certificate", "error_bound", "weights_error_bound"})
# Operation -> the fields without which its answer says nothing; the others are extended.
CORE_FIELDS: Final[dict[str, frozenset[str]]] = {
    "hello": frozenset(ANSWER_FIELDS["hello"]),
    "kernel": frozenset({"log_kernel"}),
    "loss": frozenset({"rho", "psi", "phi"}),
    "bandwidth": frozenset({"bandwidth"}),
    "residual_norms": frozenset({"residual_norms"}),
    "objective": frozenset({"objective"}),
    "step": frozenset({"weights"}),
    "median": frozenset({"weights"}),
    "thresholds": frozenset({"a", "b", "c"}),
    "fixed_point": frozenset({"weights"}),
    "log_density": frozenset({"log_density"}),
    "influence": frozenset({"influence"}),
    "vkde": frozenset({"bandwidths", "log_density"}),
    "depth": frozenset({"depth"}),
    "signed_rank": frozenset({"statistic", "p_value"}),
    "auc": frozenset({"auc"}),
    "rkde": frozenset({"weights"}),
}
# The kinds of error that a caller must be able to tell apart; the others are extended.
CORE_ERRORS: Final = frozenset(
    {"InvalidInput", "DegenerateBandwidth", "DegenerateThresholds", "AllWeightsZero"}
)

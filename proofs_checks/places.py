"""Where the published paper says something: its printed numbers by the labels of its LaTeX source.

Claims name labels, which do not move when a number does; readers of the paper see numbers only.
"""

import re
from typing import Final

PRINTED_NAMES: Final[dict[str, str]] = {
    "sec:intro": "Section 1",
    "eqn:contam": "equation (1)",
    "sec:rkde": "Section 2",
    "eqn:gaussian": "equation (2)",
    "eqn:rkde": "equation (3)",
    "eqn:huber": "equation (4)",
    "eqn:hampel": "equation (5)",
    "fig:rho_psi": "Figure 1",
    "fig:2d": "Figure 2",
    "sec:representer": "Section 3",
    "eqn:optimization": "equation (6)",
    "lemma:v_mu": "Lemma 1",
    "eqn:V": "definition of V in Lemma 1",
    "thm:representer": "Theorem 1",
    "eqn:representer": "equation (7)",
    "eqn:w_i_proto": "equation (8)",
    "thm:sufficient": "Theorem 2",
    "lemma:strict_convex": "Lemma 2",
    "sec:kirwls": "Section 4",
    "thm:convergence_bm": "Theorem 3",
    "sec:ic": "Section 5",
    "eqn:T": "equation (9)",
    "eqn:ICKDE": "equation (10)",
    "eqn:emICKDE": "equation (11)",
    "thm:influence_true": "Theorem 4",
    "eqn:icfinal": "equation (12)",
    "thm:influence_emp": "Theorem 5",
    "fig:IC": "Figure 3",
    "sec:experiment": "Section 6",
    "ssec:exp_setup": "Section 6.1",
    "ssec:exp_results": "Section 6.2",
    "sssec:exp_if": "Section 6.2.1",
    "tab:rank_if": "Table 1",
    "tab:rank_kld": "Table 2",
    "fig:ROC": "Figure 4",
    "tab:rank_auc": "Table 3",
    "sec:conclusion": "Section 7",
    "sec:proofs": "Section 8",
    "lem:lindep1": "Lemma 3",
    "lem:lindep": "Lemma 4",
    "eqn:ld1": "equation (13)",
    "eqn:ld2": "equation (14)",
    "eqn:ld3": "equation (15)",
    "lemma:lemma_compact1": "Lemma 5",
    "ssec:proof_lemma_v_mu": "proof of Lemma 1",
    "eqn:deriv_rho1": "equation (16)",
    "eqn:deriv_rho2": "equation (17)",
    "enq:deriv_rho": "equation (18)",
    "ssec:proof_thm_representer": "proof of Theorem 1",
    "ssec:strict_convex": "proof of Lemma 2",
    "eqn:equal": "equality in the proof of Lemma 2",
    "ssec:proof_thm_convergence_bm": "proof of Theorem 3",
    "eqn:surrogate1": "equation (19)",
    "eqn:surrogate2": "equation (20)",
    "eqn:Q1": "equation (21)",
    "eqn:Q2": "equation (22)",
    "eqn:Q3": "equation (23)",
    "ssec:proof_thm_influence_true": "proof of Theorem 4",
    "eqn:extended_J": "equation (24)",
    "eqn:delta_J": "differential after equation (24)",
    "eqn:icderiv1": "equation (25)",
    "eqn:icderiv4": "equation (26)",
    "eqn:icderiv2": "equation (27)",
    "eqn:icderiv3": "equation (28)",
    "ssec:proof_thm_influnece_emp": "proof of Theorem 5",
    "eqn:m_sigma_dot": "equation (29)",
    "eqn:alpha_j": "equation (30)",
    "eqn:alpha_prime": "equation (31)",
    "abstract": "abstract",
}
# What a hypothesis that is the name of a declared fact says; all other hypotheses are words already.
FACTS_IN_WORDS: Final[dict[str, str]] = {
    "a1": "(A1): rho is non-decreasing, rho(0) = 0, and rho(t)/t tends to 0 at 0",
    "a2": "(A2): phi(0) = lim psi(t)/t exists and is finite",
    "a3": "(A3): psi and phi are continuous",
    "a4": "(A4): psi and phi are bounded",
    "a5": "(A5): phi is Lipschitz continuous",
    "convex": "rho is convex",
    "strictly_increasing": "rho is strictly increasing",
    "phi_nonincreasing": "phi does not increase",
    "psi_bounded": "psi is bounded",
    "rho_bounded": "rho is bounded",
    "nonnegative": "the kernel is nonnegative",
    "integrates_to_one": "the kernel integrates to 1",
    "psd_in_every_dimension": "the kernel is positive semi-definite in every dimension",
    "profile_depends_on_dimension": "the kernel's profile depends on the dimension",
}
_NUMBERED: Final = re.compile(r"^(Theorem|Lemma|Figure|Table|equation \()\s*(\d+)")


def in_print(label: str) -> str:
    """Return a claim's place with the printed number of each LaTeX label in it."""
    return re.sub(r"[a-z]+:\w+", lambda found: PRINTED_NAMES.get(found.group(), found.group()), label)


def in_words(hypothesis: str) -> str:
    """Return a hypothesis in words: the meaning of a declared fact, anything else unchanged."""
    return FACTS_IN_WORDS.get(hypothesis, hypothesis)


def cited_labels(label: str) -> list[str]:
    """Return the labels of a claim's place, without what stands in parentheses."""
    text, count = label, 1
    while count:
        text, count = re.subn(r"\([^()]*\)", "", text)
    return [part.strip() for part in text.split(",")]


def numbered(name: str) -> tuple[str, int] | None:
    """Return kind and number of a printed name such as ``Theorem 3``; None if it has no number of its own."""
    found = _NUMBERED.match(name)
    return (found[1].removesuffix(" ("), int(found[2])) if found else None

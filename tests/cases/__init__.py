"""Worked examples: public reports of users of density estimates, as small inputs with the right answer."""

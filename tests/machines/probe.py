"""Run by the Python of a row: use the linear algebra, and say what it used."""

import hashlib
import json
import math
import struct
import sys

import numpy as np
import scipy.linalg

from rkde.machine import machine_facts

# Arguments of the C library's functions: so many that two implementations differ somewhere.
ARGUMENTS = 2**14
FUNCTIONS = (math.exp, math.log, math.log1p, math.lgamma)
ORDER = 64


def library_bits() -> str:
    """Return a digest of what the C library answers."""
    digest = hashlib.sha256()
    for number in range(1, ARGUMENTS + 1):
        argument = number * math.pi / 2**10
        digest.update(b"".join(struct.pack("<d", function(argument)) for function in FUNCTIONS))
    return digest.hexdigest()


def use_linear_algebra() -> None:
    """Call the operations that the package uses: a kernel that the processor cannot execute ends here."""
    A = np.random.default_rng(2012).standard_normal((ORDER, ORDER))
    gram = A @ A.T + ORDER * np.eye(ORDER)
    np.linalg.solve(gram, gram @ A[0])
    np.linalg.eigvalsh(gram)
    scipy.linalg.cho_solve(scipy.linalg.cho_factor(gram), A)
    scipy.linalg.blas.dsymv(1.0, gram, A[0])


use_linear_algebra()
sys.stdout.write(json.dumps({"machine": machine_facts(), "library_bits": library_bits()}))

"""A worker that is killed in the middle costs time, and not a bit of the answer."""

import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
from rkde.fast.distributed import DistributedPairs, DistributedTiles
from tests.engines.support import contaminated

STEPS = 6


@pytest.mark.slow
@pytest.mark.parametrize("engine", [DistributedTiles, DistributedPairs])
def test_the_weights_are_the_same_to_the_last_bit(engine: Any) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    rows, kernel = contaminated(3000, 2), rk.Gaussian(0.3)
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):

        def weights(victim: int | None) -> Any:
            operator = engine(rows, kernel, client)

            def kill() -> None:
                while operator.products < 2:
                    time.sleep(0.001)
                os.kill(victim, signal.SIGKILL)  # type: ignore[arg-type]

            killer = threading.Thread(target=kill)
            if victim is not None:
                killer.start()
            result = rk.kirwls(
                rows, kernel, rk.Huber(0.9), stop=rk.FixedSteps(STEPS), operator=operator
            ).weights
            if victim is not None:
                killer.join()
            return result

        whole = weights(None)
        first = next(iter(client.run(os.getpid).values()))
        assert np.array_equal(weights(first), whole)
        assert first not in client.run(os.getpid).values()

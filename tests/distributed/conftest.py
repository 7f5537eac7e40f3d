"""A cluster within the process of the tests: two workers of one thread each."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="package")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    with (
        distributed.LocalCluster(2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client

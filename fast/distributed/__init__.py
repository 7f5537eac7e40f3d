"""Engines whose work is done by the workers of a dask cluster; everything else runs as on one machine."""

from rkde.fast.distributed.cost import Cost, expected_cost
from rkde.fast.distributed.partitions import DistributedPairs
from rkde.fast.distributed.tiles import DistributedTiles

__all__ = ["Cost", "DistributedPairs", "DistributedTiles", "expected_cost"]

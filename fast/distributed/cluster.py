"""What both engines need from dask: to run a function on a worker, and to count the bytes that are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar, cast

import numpy as np

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import Floats

if TYPE_CHECKING:
    from distributed import Client, Future

Answer = TypeVar("Answer")
Arguments = ParamSpec("Arguments")
# Sums that one task adds: few enough to stand in the memory of a worker together.
_FAN_IN: Final = 8


class Cluster:
    """A client of dask, and counts of what it sent and received.

    Every array travels as the argument of a task. So the scheduler can make again what is lost with a worker,
    and nothing here has to know that one was lost.

    Parameters
    ----------
    client : distributed.Client
        The client.

    Attributes
    ----------
    workers : int
        Threads of all workers at the start.
    bytes_sent, bytes_received : int
        Bytes of the arrays that left the client, and of those that came back.
    """

    def __init__(self, client: Client) -> None:
        for name in ("submit", "nthreads"):
            if not callable(getattr(client, name, None)):
                raise InvalidType(
                    f"must be a client of dask, got an object of type {type(client).__name__}",
                    where="client",
                    remedy='pass distributed.Client("tcp://scheduler:8786"), or Client() for this machine',
                )
        self._client = client
        self.workers = sum(client.nthreads().values())
        if not self.workers:
            raise InvalidInput(
                "must have at least one worker, got none",
                where="client",
                remedy="start one with `dask worker ADDRESS`, and call client.wait_for_workers(1)",
            )
        self.bytes_sent = self.bytes_received = 0

    def submit(
        self,
        function: Callable[Arguments, Answer],
        *arguments: Arguments.args,
        **keywords: Arguments.kwargs,
    ) -> Future[Answer]:
        """Run a function on some worker; futures among the arguments stand for their results there."""
        import dask

        self.bytes_sent += sum(each.nbytes for each in arguments if isinstance(each, np.ndarray))
        # Dask advises against large arguments; here the scheduler is to have them, so that no loss is final.
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TiB"}):
            return self._client.submit(function, *arguments, **keywords, pure=False)

    def put(self, array: Floats) -> Floats:
        """Return a stand-in for an array that many tasks take, which travels once to each worker."""
        return self.later(self.submit(np.asarray, array))

    @staticmethod
    def later(future: Future[Answer]) -> Answer:
        """Return a future, typed as what it stands for where it is the argument of a task."""
        return cast("Answer", future)

    @staticmethod
    def completed(futures: Sequence[Future[Answer]]) -> Iterable[Future[Answer]]:
        """Return tasks one by one as they end."""
        from distributed import as_completed

        return as_completed(futures)

    def sum_of(self, parts: Sequence[Future[tuple[Floats, int]]]) -> tuple[Floats, int]:
        """Return the sums over all parts, added on the workers in an order that depends on nothing else."""
        while len(parts) > 1:
            groups = [parts[first : first + _FAN_IN] for first in range(0, len(parts), _FAN_IN)]
            parts = [self.submit(_added, *map(self.later, group)) for group in groups]
        total, count = parts[0].result()
        self.bytes_received += total.nbytes
        # What came in this process may be shared with a worker in it.
        return np.array(total), count

    def answers(self, futures: Sequence[Future[Floats]]) -> list[Floats]:
        """Return the arrays of some tasks, in their order."""
        arrays = self._client.gather(futures)
        self.bytes_received += sum(array.nbytes for array in arrays)
        return arrays


class OnCluster:
    """An operator whose products a cluster computes."""

    _cluster: Cluster

    @property
    def bytes_sent(self) -> int:
        """Bytes of the arrays that left the client."""
        return self._cluster.bytes_sent

    @property
    def bytes_received(self) -> int:
        """Bytes of the arrays that came back."""
        return self._cluster.bytes_received


def _added(*parts: tuple[Floats, int]) -> tuple[Floats, int]:
    """Add products and counts, from the first to the last."""
    total = parts[0][0].copy()
    for part, _ in parts[1:]:
        total += part
    return total, sum(count for _, count in parts)

"""The part of threadpoolctl that this project uses."""

from typing import NotRequired, TypedDict

class _ThreadPool(TypedDict):
    user_api: str
    internal_api: str
    prefix: str
    filepath: str
    version: str | None
    num_threads: int
    threading_layer: NotRequired[str]
    architecture: NotRequired[str]

def threadpool_info() -> list[_ThreadPool]: ...

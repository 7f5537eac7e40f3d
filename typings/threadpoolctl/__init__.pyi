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

class threadpool_limits:
    def __init__(self, limits: int | None = None, user_api: str | None = None) -> None: ...
    def restore_original_limits(self) -> None: ...
    def __enter__(self) -> threadpool_limits: ...
    def __exit__(self, *exception: object) -> None: ...

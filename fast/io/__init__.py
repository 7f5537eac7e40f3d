"""Models on disk."""

from rkde.fast.io.model_file import ModelFile, load_columns, load_model, read_model_file, save_model

__all__ = [
    "ModelFile",
    "load_columns",
    "load_model",
    "read_model_file",
    "save_model",
]

"""Reading a table of numbers from text: cells, columns, separators, and what is wrong with them."""

from rkde.tables.cells import DecimalMark, ThousandsMark
from rkde.tables.columns import HeaderMode, choose_columns
from rkde.tables.read import Table, TableOptions, read_table

__all__ = [
    "DecimalMark",
    "HeaderMode",
    "Table",
    "TableOptions",
    "ThousandsMark",
    "choose_columns",
    "read_table",
]

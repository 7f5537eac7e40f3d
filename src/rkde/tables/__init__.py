"""Reading a table of numbers from text: cells, columns, separators, and what is wrong with them."""

from rkde.tables.cells import DecimalMark, ThousandsMark
from rkde.tables.columns import HeaderMode, choose_columns, spell_positions
from rkde.tables.numbers import files_of_rows
from rkde.tables.read import read_table
from rkde.tables.table import Table, TableOptions

__all__ = [
    "DecimalMark",
    "HeaderMode",
    "Table",
    "TableOptions",
    "ThousandsMark",
    "choose_columns",
    "files_of_rows",
    "read_table",
    "spell_positions",
]

"""A small SQL database in memory: the text of a statement in, a row count (and why it is 0) out.

PostgreSQL is the reference for meaning and for wording. Start with `database.py`; from text to result:

    tokens, cursor             text to tokens; walking over them, and what a syntax error says
    parse*                     the grammar, one file per part
    syntax, expressions        the shapes it produces
    values, conversions        the types, their ranges and texts; which may become which
    functions, operators       tables of what can be computed
    preparation, scope         what is known while names and types are settled; subqueries
    binding, bound             names and types settled: expressions become functions of the environment
    tables, create             rows, constraints, unique keys
    sessions                   transactions, row locks, waiting
    commits, serializable      what a snapshot sees; which serializable transactions may not all commit
    select, write, plans       the statements
    explain                    why a conditional write touched no row
    reference                  what is supported, as data, and the differences from PostgreSQL
    database                   ties these together, synchronously
    server, client             the same on the world's network
"""

from py_runtime.stores.sql.client import Answer as Answer
from py_runtime.stores.sql.client import SqlClient as SqlClient
from py_runtime.stores.sql.client import SqlConnection as SqlConnection
from py_runtime.stores.sql.database import SqlDatabase as SqlDatabase
from py_runtime.stores.sql.errors import IntegrityError as IntegrityError
from py_runtime.stores.sql.errors import SqlError as SqlError
from py_runtime.stores.sql.server import SqlServer as SqlServer
from py_runtime.stores.sql.sessions import Result as Result

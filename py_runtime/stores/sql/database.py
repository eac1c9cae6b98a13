"""The database: its tables, its sessions, and one statement after another.

Decides how a text becomes a running statement, what may be cached, and in which order waiting statements go on. Works
synchronously and knows no network: a statement that has to wait is an `Execution` that finishes later.
"""

from collections import deque
from collections.abc import Callable, Mapping

from py_runtime.stores.sql.bound import Environment
from py_runtime.stores.sql.commits import Commits
from py_runtime.stores.sql.create import create_table
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.parse import parse
from py_runtime.stores.sql.preparation import Plan, Preparation, parameter_types
from py_runtime.stores.sql.select import SelectPlan
from py_runtime.stores.sql.sessions import Execution, Result, Session, Steps
from py_runtime.stores.sql.syntax import CreateTable, Delete, Insert, Parsed, Select, TransactionControl, Update
from py_runtime.stores.sql.tables import Table, view
from py_runtime.stores.sql.write import ChangePlan, InsertPlan

PLANS: dict[type, Callable[..., Plan]] = {
    Select: SelectPlan,
    Insert: InsertPlan,
    Update: ChangePlan,
    Delete: ChangePlan,
}
CACHED_MAX = 1_000
"""How many plans are kept. A program has a few dozen texts; one that builds texts from values would otherwise grow
without end."""


class SqlDatabase:
    """An in-memory database.

    `store` is the name that row changes carry; `clock` returns the database's own time in microseconds since
    1970-01-01, for `now()`, and stands still at 0 when it is left out.
    """

    def __init__(self, store: str = "sql", clock: Callable[[], int] = lambda: 0) -> None:
        self.tables: dict[str, Table] = {}
        self._store = store
        self._clock = clock
        self._plans: dict[tuple, Plan] = {}
        self._commits = Commits()
        self._waiting: list[Execution] = []
        self._ended: deque[Session] = deque()

    def execute(self, text: str, parameters: Mapping[str, object] | None = None) -> Result:
        """Run one statement in a transaction of its own; see `Connection.execute`. BEGIN needs `connect()`."""
        return Connection(self, self.session(single=True)).execute(text, parameters)

    def connect(self) -> "Connection":
        """Return a connection, which can hold a transaction open over several statements."""
        return Connection(self, self.session())

    def session(self, single: bool = False) -> Session:
        """Return a new session; a `single` one is for one statement and cannot begin a transaction."""
        return Session(self._store, self._commits, single)

    def rows(self, table: str) -> list[dict[str, object]]:
        """Return a table's committed rows in insertion order, as results show them."""
        return [view(version) for _row, version in self.tables[table].scan(None)]

    def start(
        self,
        session: Session,
        text: str,
        parameters: Mapping[str, object],
        on_done: Callable[[Execution], None],
    ) -> Execution:
        """Begin a statement and run it as far as it gets; `on_done` is called when it has finished, perhaps at once."""
        execution = Execution(session, self._steps(session, text, dict(parameters)), self._wake, on_done)
        execution.resume()
        if not execution.done:
            self._waiting.append(execution)
        return execution

    def cancel(self, execution: Execution, error: SqlError) -> None:
        """End a statement that waits; its transaction is undone."""
        self._waiting.remove(execution)
        execution.cancel(error)

    def disconnect(self, session: Session) -> None:
        """End a connection: what waits is cancelled, an open transaction is undone."""
        for execution in [each for each in self._waiting if each.session is session]:
            self.cancel(execution, SqlError("the connection was closed", sqlstate="08003"))
        session.rollback()
        self._wake(session)

    def _steps(self, session: Session, text: str, parameters: dict[str, object]) -> Steps:
        parsed = parse(text)
        statement = parsed.statement
        if isinstance(statement, TransactionControl):
            parameter_types(parsed, parameters)
            return self._control(session, statement)
        session.refuse_failed()
        if session.started_us is None:
            session.started_us = self._clock()
        session.query()
        if isinstance(statement, CreateTable):
            return self._create(session, parsed)
        environment = Environment(parameters, session.started_us, self._clock)
        return (yield from self._plan(text, parsed, parameters).run(session, environment))

    def _control(self, session: Session, statement: TransactionControl) -> Result:
        """Run BEGIN, COMMIT or ROLLBACK; the changes of a COMMIT are collected where the statement ends."""
        action = statement.action
        if session.single:
            message = f"{action} needs a connection of its own, not one that everybody shares: use connect()"
            raise SqlError(message, sqlstate="25000")
        if action == "BEGIN":
            if session.explicit:
                raise SqlError("there is already a transaction in progress", sqlstate="25001")
            session.explicit, session.started_us = True, self._clock()
        elif not session.explicit:
            raise SqlError("there is no transaction in progress", sqlstate="25P01")
        elif action == "SET TRANSACTION":
            session.refuse_failed()
            if session.queried:
                message = "SET TRANSACTION ISOLATION LEVEL must be called before any query"
                raise SqlError(message, sqlstate="25001")
        elif action == "ROLLBACK" or session.failed:
            session.rollback()
        else:
            session.explicit = False  # a COMMIT that is refused ends the transaction all the same
            if session.serializable is not None:
                self._commits.overlapping.refuse_commit(session.serializable)
        session.isolation = statement.isolation or session.isolation
        return Result()

    def _create(self, session: Session, parsed: Parsed) -> Result:
        statement: CreateTable = parsed.statement
        if session.footprint is not None:
            session.footprint.whole = True
        if session.explicit:
            raise SqlError("CREATE TABLE is not supported inside a transaction", sqlstate="0A000")
        name = statement.table.name
        if name not in self.tables:
            self.tables[name] = create_table(parsed)
            self._plans.clear()
        elif not statement.if_not_exists:
            at = statement.table.at
            raise SqlError(f'relation "{name}" already exists', sqlstate="42P07", **at.place)
        return Result()

    def _plan(self, text: str, parsed: Parsed, parameters: Mapping[str, object]) -> Plan:
        types = parameter_types(parsed, parameters)
        key = (text, *types.values())
        if key not in self._plans:
            preparation = Preparation(parsed, types, self.tables, SelectPlan)
            plan = PLANS[type(parsed.statement)](preparation)
            if len(self._plans) >= CACHED_MAX:
                del self._plans[next(iter(self._plans))]
            self._plans[key] = preparation.with_subqueries(plan)
        return self._plans[key]

    def _wake(self, session: Session) -> None:
        """Resume what waits for a session whose transaction has ended, first come first served."""
        if session.explicit and not session.failed:
            return
        self._ended.append(session)
        if len(self._ended) > 1:
            return
        while self._ended:
            for execution in [each for each in self._waiting if each.waits_for is self._ended[0]]:
                self._waiting.remove(execution)
                execution.resume()
                if not execution.done:
                    self._waiting.append(execution)
            self._ended.popleft()


class Connection:
    """One connection to a database.

    A transaction is open from BEGIN to COMMIT or ROLLBACK; outside of it every statement is a transaction of its own.
    """

    def __init__(self, database: SqlDatabase, session: Session) -> None:
        self._database = database
        self._session = session

    def execute(self, text: str, parameters: Mapping[str, object] | None = None) -> Result:
        """Run one statement and return its result.

        Raises SqlError, and IntegrityError when a constraint forbids a row; either way nothing has changed. A
        statement that would have to wait for another connection fails too, since nothing else can run meanwhile.
        """
        execution = self.start(text, parameters, lambda _execution: None)
        if not execution.done:
            message = "could not obtain lock on row: another connection's transaction holds it"
            self._database.cancel(execution, SqlError(message, sqlstate="55P03"))
        if execution.error is not None:
            raise execution.error
        return execution.result

    def start(
        self, text: str, parameters: Mapping[str, object] | None, on_done: Callable[[Execution], None]
    ) -> Execution:
        """Begin a statement that may wait; see `SqlDatabase.start`."""
        return self._database.start(self._session, text, parameters or {}, on_done)

    def close(self) -> None:
        """End the connection; an open transaction is undone."""
        self._database.disconnect(self._session)

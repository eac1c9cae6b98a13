"""What the loop refuses: methods that lead out of the simulation, or meddle with its life; and what to use instead."""

from collections.abc import Callable
from typing import Any

from .errors import EscapeError

_SOCKETS = "use the store clients you are handed"
_PROCESSES = "give the scenario another actor"
_SIGNALS = "let the scenario crash or pause the actor"
_LIFE = "the world runs the loop; start work with create_task"

REFUSED: dict[str, str] = {
    "add_reader": _SOCKETS,
    "add_signal_handler": _SIGNALS,
    "add_writer": _SOCKETS,
    "close": _LIFE,
    "connect_accepted_socket": _SOCKETS,
    "connect_read_pipe": _PROCESSES,
    "connect_write_pipe": _PROCESSES,
    "create_connection": _SOCKETS,
    "create_datagram_endpoint": _SOCKETS,
    "create_server": _SOCKETS,
    "create_unix_connection": _SOCKETS,
    "create_unix_server": _SOCKETS,
    "getaddrinfo": _SOCKETS,
    "getnameinfo": _SOCKETS,
    "remove_reader": _SOCKETS,
    "remove_signal_handler": _SIGNALS,
    "remove_writer": _SOCKETS,
    "run_forever": _LIFE,
    "run_until_complete": _LIFE,
    "sendfile": _SOCKETS,
    "set_debug": "debug mode reads the real clock",
    "set_default_executor": "asyncio.to_thread already runs on a simulated pool",
    "set_exception_handler": "what no task catches is recorded as task.failed",
    "set_task_factory": "tasks are the simulation's own, so that they start in their turn",
    "shutdown_asyncgens": _LIFE,
    "shutdown_default_executor": _LIFE,
    "sock_accept": _SOCKETS,
    "sock_connect": _SOCKETS,
    "sock_recv": _SOCKETS,
    "sock_recv_into": _SOCKETS,
    "sock_recvfrom": _SOCKETS,
    "sock_recvfrom_into": _SOCKETS,
    "sock_sendall": _SOCKETS,
    "sock_sendfile": _SOCKETS,
    "sock_sendto": _SOCKETS,
    "start_tls": _SOCKETS,
    "stop": _LIFE,
    "subprocess_exec": _PROCESSES,
    "subprocess_shell": _PROCESSES,
}


def refuse(name: str, instead: str) -> Callable[..., Any]:
    """A method that raises `EscapeError` naming itself."""

    def refused(self: Any, *arguments: Any, **options: Any) -> Any:
        raise EscapeError(f"loop.{name}", instead)

    refused.__name__ = name
    refused.__doc__ = f"Refused: {instead}."
    return refused

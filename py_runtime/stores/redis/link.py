"""The link between a primary and one replica: what is sent arrives in order and late, until the link is cut.

Decides when a message arrives, and that none overtakes another or survives its connection. Knows nothing of what it
carries. Fault rules of the network do not see these messages: a TCP connection loses nothing while it lasts.
"""

from collections.abc import Callable

from py_runtime.sim import Actor, World


class Link:
    """One replica's link to whoever is its primary.

    lag_us: how late what is sent arrives; may be changed at any instant, for what is sent from then on.
    ack_us: how late an acknowledgement arrives at the primary. Scenarios use `cut` and `restore` of `Replication`.
    """

    def __init__(self, world: World, replica: Actor, lag_us: int, ack_us: int = 0) -> None:
        self.lag_us = lag_us
        self.ack_us = ack_us
        self.is_open = False
        self._world = world
        self._replica = replica
        self._connection = 0  # counts connections: what is on its way in a former one never arrives
        self._due_us = 0

    def open(self) -> None:
        """Begin a connection; whatever was on its way in the last one is lost."""
        self.close()
        self.is_open = True
        self._due_us = 0

    def close(self) -> None:
        """End the connection, with what is on its way in it."""
        self.is_open = False
        self._connection += 1

    def send(self, primary: Actor, take: Callable[..., None], *message: object) -> None:
        """Call `take(*message)` as a step of the replica when the message arrives; never before what was sent first."""
        now_us = self._world.now_us
        self._due_us = max(now_us + self.lag_us, self._due_us)
        self._relay(primary, self._replica, self._due_us - now_us, take, message)

    def answer(self, primary: Actor, take: Callable[..., None], *message: object) -> None:
        """The same on the way back, as a step of the primary."""
        self._relay(self._replica, primary, self.ack_us, take, message)

    def _relay(self, sender: Actor, receiver: Actor, delay_us: int, take: Callable[..., None], message: tuple) -> None:
        parts = (self._connection, take, message)
        self._world.network.relay(sender, receiver.name, delay_us, self._arrive, parts)

    def _arrive(self, connection: int, take: Callable[..., None], message: tuple) -> None:
        if connection == self._connection:
            take(*message)

"""One service, one key, and requests that arrive at a fixed gap; the upstream takes the same time for every call."""

from py_runtime.lab import Setting, Stage
from py_runtime.sim import Request, World

PROGRAM = {"plain": "plain.py", "merged": "merged.py", "merged-without-cache": "merged_without_cache.py"}
KEY = "weather:Lisbon"


class Upstream:
    """The client that the program is handed."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def fetch(self, key: str) -> str:
        """Ask the upstream; takes as long as its parameter says, however many calls are in flight."""
        return await self._world.network.call("upstream", key, text=f"fetch {key}")


def scenario(stage: Stage) -> None:
    """Actor `service`: every request is a task of its one event loop. Actor `upstream` answers after upstream_us."""
    world, setting = stage.world, stage.setting
    [answers_class] = stage.program(PROGRAM[setting.variant], "Answers")
    service = world.actor("service")

    def answer_later(request: Request) -> None:
        request.call_later(setting["upstream_us"], request.complete, f"answer for {request.payload}")

    world.network.serve("upstream", answer_later)
    answers = answers_class(Upstream(world))

    async def request(number: int) -> None:
        arrived_us = world.now_us
        world.mark("arrived", request=number)
        await answers.get(KEY)
        world.mark("answered", request=number, wait_us=world.now_us - arrived_us)

    def arrive(number: int) -> None:
        world.spawn(service, request(number), f"request-{number}")

    for number in range(setting["requests"]):
        world.call_at(number * setting["gap_us"], arrive, number + 1)


def until_us(setting: Setting) -> int:
    """Long enough for the last arrival to wait out one call and make another."""
    return (setting["requests"] - 1) * setting["gap_us"] + 2 * setting["upstream_us"] + 1

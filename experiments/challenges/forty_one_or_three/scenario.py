"""One service, some tenants who ask the same, and requests that arrive at a fixed gap, tenant after tenant.

The upstream takes the same time for every call. Its first calls may be refused, and the first request may leave early.
"""

import asyncio

from py_runtime.lab import Setting, Stage
from py_runtime.sim import Request, World

QUESTIONS = ("weather", "tides")


class Upstream:
    """The client that the program is handed."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def fetch(self, tenant: str, question: str) -> str:
        """Ask the upstream; takes as long as its parameter says, however many calls are in flight."""
        return await self._world.network.call("upstream", None, text=call_text(tenant, question))


def call_text(tenant: str, question: str) -> str:
    """How a call reads in the trace: what it asks for, and nothing else."""
    return f"fetch {question} for {tenant}"


def scenario(stage: Stage) -> None:
    """Actor `service`: every request is a task of its one event loop. Actor `upstream` answers after upstream_us.

    Marks: arrived, answered, failed, left; all with the number of the request.
    """
    world, setting = stage.world, stage.setting
    [answers_class] = stage.program("answers.py", "Answers")
    service = world.actor("service")
    calls, down = 0, False

    def handle(request: Request) -> None:
        nonlocal calls
        calls += 1
        if down or calls <= setting["failing_calls"]:
            request.fail(ConnectionError("the upstream refused the call"))
        else:
            request.call_later(setting["upstream_us"], request.complete, f"answer {calls} to {request.text}")

    def set_down(value: bool) -> None:
        nonlocal down
        down = value

    world.network.serve("upstream", handle)
    world.outages["upstream"] = set_down
    answers = answers_class(Upstream(world), lambda: world.now_us, setting["fresh_us"])

    async def request(number: int) -> None:
        arrived_us, tenant = world.now_us, tenant_of(number, setting)
        world.mark("arrived", request=number, tenant=tenant)
        try:
            answer = await answers.get(tenant, question_of(number, setting))
        except ConnectionError as error:
            world.mark("failed", request=number, error=str(error))
        except asyncio.CancelledError:
            world.mark("left" if number in leaving else "failed", request=number, error="cancelled")
        else:
            world.mark("answered", request=number, wait_us=world.now_us - arrived_us, answer=str(answer))

    leaving: set[int] = set()
    tasks: list[asyncio.Task] = []

    def arrive(number: int) -> None:
        tasks.append(world.spawn(service, request(number), f"request-{number}"))

    def leave() -> None:
        leaving.add(1)
        tasks[0].cancel()

    for number in range(1, setting["requests"] + 1):
        world.call_at((number - 1) * setting["gap_us"], arrive, number)
    if setting["leaves_us"]:
        world.call_at(setting["leaves_us"], leave)


def tenant_of(number: int, setting: Setting) -> str:
    """Who makes the request of that number."""
    return f"tenant-{(number - 1) % setting['tenants'] + 1}"


def question_of(number: int, setting: Setting) -> str:
    """What the request of that number asks: all tenants the same in turn, then all of them the next question."""
    return QUESTIONS[(number - 1) // setting["tenants"] % setting["questions"]]


def until_us(setting: Setting) -> int:
    """Long enough for the last arrival to wait out one call and make another."""
    return (setting["requests"] - 1) * setting["gap_us"] + 2 * setting["upstream_us"] + 1

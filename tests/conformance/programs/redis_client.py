"""redis-py's own client: it serves where the stand-in's does without an adapter, and here tells what scripts said."""

from collections.abc import Callable

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff


class TellingRedis(Redis):
    """redis-py's client; `tell` hears the name of each script that ran (its first line) and its reply."""

    tell: Callable[..., None]
    names: dict[str, str]

    def register_script(self, script: str):
        registered = super().register_script(script)
        self.names[registered.sha] = script.partition("\n")[0].removeprefix("-- ")
        return registered

    async def evalsha(self, sha: str, numkeys: int, *keys_and_args):
        reply = await super().evalsha(sha, numkeys, *keys_and_args)
        self.tell("script", name=self.names[sha], reply=reply)
        return reply


def redis_client(port: int, tell: Callable[..., None]) -> TellingRedis:
    """A client whose programs find what the stand-in gives them: text, the old protocol, no hidden second try."""
    retry = Retry(NoBackoff(), 0)
    client = TellingRedis(port=port, protocol=2, decode_responses=True, socket_timeout=None, retry=retry)
    client.tell, client.names = tell, {}
    return client

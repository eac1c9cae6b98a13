"""Client methods for Lua scripts, and a script as something to call."""

from py_runtime.stores.redis.client.calls import Caller, encode
from py_runtime.stores.redis.command_text import script_sha
from py_runtime.stores.redis.errors import NoScriptError


class AsyncScript:
    """A script's text with its SHA-1; calling it runs it by EVALSHA, loading it first where the server forgot it."""

    def __init__(self, registered_client: "ScriptMethods", script) -> None:
        self.registered_client = registered_client
        self.script = script
        self.sha = script_sha(encode(script)).decode()

    async def __call__(self, keys=None, args=None, client: "ScriptMethods | None" = None):
        """Run with these keys (`KEYS[1]` …) and arguments (`ARGV[1]` …)."""
        client = client or self.registered_client
        client._remember_script(self)
        keys = list(keys or ())
        words = [*keys, *(args or ())]
        try:
            return await client.evalsha(self.sha, len(keys), *words)
        except NoScriptError:
            self.sha = await client.script_load(self.script)
            return await client.evalsha(self.sha, len(keys), *words)


class ScriptMethods(Caller):
    """See the table of commands for what each does; arguments and replies are redis-py's."""

    def eval(self, script, numkeys, *keys_and_args):
        return self.execute_command("EVAL", script, numkeys, *keys_and_args)

    def evalsha(self, sha, numkeys, *keys_and_args):
        return self.execute_command("EVALSHA", sha, numkeys, *keys_and_args)

    def script_load(self, script):
        return self.execute_command("SCRIPT LOAD", script)

    def script_exists(self, *args):
        return self.execute_command("SCRIPT EXISTS", *args)

    def script_flush(self, sync_type=None):
        return self.execute_command("SCRIPT FLUSH", *([] if sync_type is None else [sync_type]))

    def register_script(self, script) -> AsyncScript:
        """A callable for the script; sends nothing yet."""
        self._server.learn_script(encode(script))
        return AsyncScript(self, script)

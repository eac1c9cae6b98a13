"""The rules of Lua as redis-server has them, a table per topic; what a row holds is told one folder up."""

from tests.conformance.lua.rules import (
    catching,
    commands,
    control,
    conversion,
    errors,
    formats,
    functions,
    json,
    maths,
    numbers,
    patterns,
    sandbox,
    strings,
    syntax,
    tables,
)

TOPICS = {
    "catching": catching.RULES,
    "commands": commands.RULES,
    "control": control.RULES,
    "conversion": conversion.RULES,
    "errors": errors.RULES,
    "formats": formats.RULES,
    "functions": functions.RULES,
    "json": json.RULES,
    "maths": maths.RULES,
    "numbers": numbers.RULES,
    "patterns": patterns.RULES,
    "sandbox": sandbox.RULES,
    "strings": strings.RULES,
    "syntax": syntax.RULES,
    "tables": tables.RULES,
}

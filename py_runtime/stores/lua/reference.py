"""What this Lua supports, as data: for the reference page, and for the tests that hold it against the library itself.

The functions themselves are the library's tables (`library.GLOBALS`); here are their forms and meanings, in reading
order. What is refused is in `unsupported`.
"""

from dataclasses import dataclass

from py_runtime.stores.lua import conversion, expressions, patterns, scopes, script
from py_runtime.stores.lua.library import base, json


@dataclass(frozen=True, slots=True)
class Form:
    """One thing a script may write: `form` with optional parts in brackets, and what it means."""

    form: str
    meaning: str

    @property
    def name(self) -> str:
        """How the library calls it: `string.find`."""
        return self.form.partition("(")[0]


LANGUAGE = (
    Form("local a, b = 1, 2", "variables; extra values are dropped, missing ones nil"),
    Form("a, t.x = b, c", "assignment of several at once; every value is read before the first is stored"),
    Form("local function f(a, ...) … end, function t:m() … end", "functions, methods, closures, varargs"),
    Form("if … then … elseif … else … end", "only nil and false are false"),
    Form("while … do … end, repeat … until …, for i = 1, 10, 2 do … end, for k, v in … do … end, break", "loops"),
    Form("+ - * / % ^ .. # == ~= < <= > >= and or not", "operators; text counts in arithmetic, never in comparisons"),
    Form("{1, 2, name = 3, [key] = 4}", "tables"),
    Form("'text', \"text\", [==[ text ]==], 12, 0x1F, 1e3", "literals"),
    Form("-- comment, --[[ comment ]]", "comments"),
)

LIBRARY = (
    Form("assert(value [, message])", "its arguments, or an error when the first is nil or false"),
    Form("error(value [, level])", "throws; text gets the position of level 1, the caller, or above; of none with 0"),
    Form("ipairs(table)", "for a loop over 1, 2, … up to the first nil"),
    Form("next(table [, key])", "the entry after the key; nil at the end"),
    Form("pairs(table)", "for a loop over every entry"),
    Form("pcall(function, …)", "true and the results, or false and what was thrown"),
    Form("rawequal(a, b)", "the same as =="),
    Form("rawget(table, key)", "the value; of _G also for a name that it lacks"),
    Form("rawset(table, key, value)", "sets it"),
    Form("select(n, …)", "the arguments from the nth; their number with '#'"),
    Form("tonumber(value [, base])", "the number, or nil"),
    Form("tostring(value)", "the text"),
    Form("type(value)", "the name of its kind"),
    Form("unpack(table [, first [, last]])", "its values as results"),
    Form("xpcall(function, handler)", "the same as pcall; what was thrown goes through the handler"),
    Form("_G", "the table of all globals, read only"),
    Form("_VERSION", "'Lua 5.1'"),
    Form("string.byte(text [, first [, last]])", "the codes of its bytes"),
    Form("string.char(…)", "the text of these codes"),
    Form("string.find(text, pattern [, start [, plain]])", "first and last position, and captures"),
    Form("string.format(format, …)", "with %d %i %u %c %x %X %o %e %E %f %g %G %q %s %%"),
    Form("string.gfind()", "an error that names gmatch, as in Lua 5.1"),
    Form("string.gmatch(text, pattern)", "for a loop over all matches"),
    Form("string.gsub(text, pattern, replacement [, count])", "the text with matches replaced, and how many were"),
    Form("string.len(text)", "the number of bytes"),
    Form("string.lower(text)", "with A to Z in lower case"),
    Form("string.match(text, pattern [, start])", "the captures, or the whole match"),
    Form("string.rep(text, count)", "repeated"),
    Form("string.reverse(text)", "byte by byte from its end"),
    Form("string.sub(text, first [, last])", "a part; negative positions count from the end"),
    Form("string.upper(text)", "with a to z in upper case"),
    Form("table.concat(table [, separator [, first [, last]]])", "texts and numbers joined"),
    Form("table.foreach(table, function)", "calls it for every entry until it gives something"),
    Form("table.foreachi(table, function)", "the same for 1 to #table"),
    Form("table.getn(table)", "#table"),
    Form("table.insert(table [, place], value)", "shifts up what is there"),
    Form("table.maxn(table)", "the highest number among the keys"),
    Form("table.remove(table [, place])", "takes an entry out and shifts down what is behind"),
    Form("table.setn()", "an error, as in Lua 5.1"),
    Form("table.sort(table [, precedes])", "in place, by < or by a function"),
    Form("math.abs(x)", "the size"),
    Form("math.acos(x)", "in radians"),
    Form("math.asin(x)", "in radians"),
    Form("math.atan(x)", "in radians"),
    Form("math.atan2(y, x)", "the angle of a point"),
    Form("math.ceil(x)", "the next whole number above"),
    Form("math.cos(x)", "of radians"),
    Form("math.cosh(x)", "hyperbolic"),
    Form("math.deg(x)", "radians as degrees"),
    Form("math.exp(x)", "e to that power"),
    Form("math.floor(x)", "the next whole number below"),
    Form("math.fmod(a, b)", "the remainder with the sign of a"),
    Form("math.frexp(x)", "mantissa and exponent of two"),
    Form("math.huge", "infinity"),
    Form("math.ldexp(m, e)", "m · 2^e"),
    Form("math.log(x)", "to the base e"),
    Form("math.log10(x)", "to the base 10"),
    Form("math.max(x, …)", "the largest"),
    Form("math.min(x, …)", "the smallest"),
    Form("math.mod(a, b)", "fmod's old name"),
    Form("math.modf(x)", "whole part and fraction"),
    Form("math.pi", "π"),
    Form("math.pow(a, b)", "a^b"),
    Form("math.rad(x)", "degrees as radians"),
    Form("math.random([[low,] high])", "redis-server's own numbers, the same after each of its starts"),
    Form("math.randomseed(seed)", "starts the row of numbers of a seed"),
    Form("math.sin(x)", "of radians"),
    Form("math.sinh(x)", "hyperbolic"),
    Form("math.sqrt(x)", "the square root"),
    Form("math.tan(x)", "of radians"),
    Form("math.tanh(x)", "hyperbolic"),
    Form("cjson.decode(text)", "the value; JSON's null as cjson.null"),
    Form("cjson.encode(value)", "JSON; an empty table is {}"),
    Form("cjson.null", "JSON's null, which is true in a condition"),
    Form("cjson._NAME", "'cjson'"),
    Form("cjson._VERSION", "'2.1.0'"),
    Form("redis.call(command, …)", "the reply; a command's error is thrown"),
    Form("redis.pcall(command, …)", "the reply; a command's error is {err = text}"),
    Form("redis.error_reply(text)", "{err = text}, with ERR in front of a single word"),
    Form("redis.status_reply(text)", "{ok = text}"),
    Form("redis.sha1hex(text)", "its SHA-1 in hexadecimal"),
    Form("redis.log(level, text, …)", "a line for the server's log"),
    Form("redis.setresp(version)", "2 only"),
    Form("redis.set_repl(flags)", "redis.REPL_ALL only"),
    Form("redis.replicate_commands()", "true; Redis 7 always replicates effects"),
    Form("redis.breakpoint()", "false; there is no debugger"),
    Form("redis.debug(…)", "nothing; there is no debugger"),
    Form("redis.LOG_DEBUG", "0"),
    Form("redis.LOG_VERBOSE", "1"),
    Form("redis.LOG_NOTICE", "2"),
    Form("redis.LOG_WARNING", "3"),
    Form("redis.REPL_NONE", "0"),
    Form("redis.REPL_AOF", "1"),
    Form("redis.REPL_SLAVE", "2"),
    Form("redis.REPL_REPLICA", "2"),
    Form("redis.REPL_ALL", "3"),
    Form("redis.REDIS_VERSION", "'7.0.15', the server whose behaviour this is"),
    Form("redis.REDIS_VERSION_NUM", "458767, which is 0x7000f"),
)

LIMITS = (
    ("steps of one run; then it ends as BUSY", script.STEPS_MAX),
    ("local variables of a function", scopes.LOCALS_MAX),
    ("variables that a function takes from around it", scopes.CAPTURES_MAX),
    ("blocks and calls inside each other", expressions.LEVELS_MAX),
    ("levels of an expression", expressions.HEIGHT_MAX),
    ("tables inside each other in a reply", conversion.NESTING_MAX),
    ("values that unpack gives", base.UNPACK_MAX),
    ("captures of a pattern", patterns.CAPTURES_MAX),
    ("repetitions inside each other while a pattern is matched", patterns.DEPTH_MAX),
    ("tables inside each other in JSON", json.DEPTH_MAX),
)

DIFFERENCES = (
    "Not there, and refused by name when the script compiles: metatables, coroutines, load and its kin, "
    "collectgarbage, bit, struct, cmsgpack, redis.acl_check_cmd, cjson's settings, a #! first line.",
    "RESP3 (redis.setresp(3)) and redis.set_repl with other flags than REPL_ALL are refused when they are called.",
    "pairs, next and cjson.encode follow the order in which names were added; Redis follows its hash, which promises "
    "no order.",
    "# of a table with holes may be another of its borders than in Redis.",
    "Tables and functions print a running number; Redis prints an address.",
    "Every NaN prints -nan; Redis prints nan where the sign bit is clear.",
    "A constant -0 keeps its sign; Redis prints 0 where the same function holds the constant 0 before it.",
    "A script ends with BUSY after a number of steps, and what it wrote stays; Redis lets it run, answers BUSY to "
    "everyone else, and waits for SCRIPT KILL.",
    "Recursion ends some 2000 calls deep, tail calls included; Redis allows some 20,000, and tail calls without end.",
    "Expressions nest 390 deep, replies 128, patterns 200; Redis has other limits.",
    "error({}) is an unknown error; it crashes redis-server 7.0.15.",
    "The table that redis.pcall gives lacks the field ignore_error_stats_update.",
)

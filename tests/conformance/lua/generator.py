"""Scripts drawn at random, for the stand-in and redis-server to agree about.

Decides what is drawn: whole programs, calls of the library with values of any kind, patterns, formats, JSON, texts of
tokens, and programs and rules that were damaged, as a reader's edit leaves them halfway. Leaves out what is known to
differ (`py_runtime.stores.lua.reference`): no table with holes is measured and no table with several names is walked.
Knows no server.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from random import Random

from tests.conformance.lua.programs import program
from tests.conformance.lua.rules import TOPICS


@dataclass(frozen=True)
class Drawn:
    """A script, and how it came about."""

    family: str
    text: bytes


VALUES = """nil true false 0 1 2 3 -1 -2 7 0.5 -0.5 2.75 100 255 1e15 1e16 1e300 2^31 2^53 1/0 -1/0 '' 'a' 'b' '10'
'0x1F' '1e2' '-3' 'abc' 'a,b,,c' 'word' 'x\\0y' '\\255\\128' '%d' '%s|%5.1f' '(%w+)' '[a' '%b()' '.-' {} {1,2} {3,1,2}
{'b','a'} {1,{2},3} {x=1} {[0]=1} {1.5,'1.5',true} {ok='fine'} {err='CODE text'} KEYS ARGV cjson.null math.floor
string.rep function(...)return...end function(a,b)return(b)end""".split()

FUNCTIONS = """tostring tonumber type select unpack rawequal rawget rawset next pcall assert string.len string.rep
string.sub string.byte string.char string.find string.match string.gsub string.format string.upper string.lower
string.reverse table.concat table.insert table.remove table.maxn table.getn table.sort math.floor math.ceil math.abs
math.max math.min math.fmod math.modf math.pow math.sqrt math.ldexp math.frexp math.random math.randomseed redis.sha1hex
redis.error_reply redis.status_reply redis.call redis.pcall redis.log cjson.encode cjson.decode""".split()

# The words of the language, with broken ones among them.
TOKENS = """and break do else elseif end false for function if in local nil not or repeat return then true until while
+ - * / % ^ # == ~= <= >= < > = ( ) { } [ ] ; : , . .. ... x y t f 1 2.5 0x1F 1e 3x 'a' "b" [[c]] 'open [=[ --[[ @ \\ ~
x=1 f() local\nx return\nx (x) {x} x.y x[1] x:y() end\nend""".split(" ")

_TOKEN = re.compile(r"\s+|[A-Za-z_]\w*|\d+(?:\.\d+)?|'(?:\\.|[^'\\])*'|\.\.\.?|[=~<>]=|.", re.DOTALL)
# The clock's rule left out: it moves on the server.
_RULES = [_TOKEN.findall(rule[1]) for rules in TOPICS.values() for rule in rules if "'TIME'" not in rule[1]]

OPERATORS = "+ - * / % ^ .. == ~= < <= > >= and or".split()


def scripts(seed: int) -> Iterator[Drawn]:
    """Endlessly many; the families take turns."""
    rng = Random(seed)
    for family in cycle(FAMILIES):
        yield family(rng)


def _program(rng: Random) -> Drawn:
    return Drawn("program", program(rng).encode())


def _call(rng: Random) -> Drawn:
    function = rng.choice(FUNCTIONS)
    arguments = ", ".join(_value(rng, 1) for _ in range(rng.randrange(5)))
    return Drawn("call", f"return {{pcall({function}, {arguments})}}".replace(", )", ")").encode())


def _expression(rng: Random) -> Drawn:
    return Drawn("expression", f"return {_value(rng, 3)}".encode())


def _value(rng: Random, depth: int) -> str:
    """A value, or an operation on values; `depth` bounds how they nest."""
    if depth == 0 or rng.randrange(3) == 0:
        return rng.choice(VALUES)
    inner = _value(rng, depth - 1)
    shape = rng.randrange(6)
    if shape == 0:
        return f"(#{inner})"
    if shape == 1:
        return f"({rng.choice(['-', 'not '])}{inner})"
    if shape == 2:
        return f"({inner})[{_value(rng, depth - 1)}]"
    if shape == 3:
        method = rng.choice(["sub", "rep", "find", "format", "byte", "upper"])
        return f"({inner}):{method}({rng.choice(['1', '2', '-1', 'nil', chr(39) + 'a' + chr(39)])})"
    return f"({inner} {rng.choice(OPERATORS)} {_value(rng, depth - 1)})"


def _pattern(rng: Random) -> Drawn:
    pattern = _word(
        rng, ["a", "b", "1", "%", "%a", "%d", "%w", "[", "]", "^", "(", ")", "()", "*", "+", "-", "?", ".", "$"]
    )
    subject = _word(rng, ["a", "b", "1", " ", "(", ")", "[", "ab", "%"])
    replacement = _word(rng, ["x", "%", "%0", "%1", "%2", "a"], 3)
    call = rng.choice(["find(p)", "match(p)", "gsub(p, r)", "gsub(p, r, 2)", "find(p, 2)", "find(p, 1, true)"])
    return Drawn(
        "pattern", f"local s, p, r = [=[{subject}]=], [=[{pattern}]=], [=[{replacement}]=] return {{s:{call}}}".encode()
    )


def _format(rng: Random) -> Drawn:
    parts = [
        "%",
        "%d",
        "%s",
        "%5",
        ".2",
        "f",
        "g",
        "x",
        "c",
        "q",
        "%-8s",
        "%+d",
        "%05d",
        "%e",
        "%i",
        "%u",
        "#",
        " ",
        "0",
        "z",
    ]
    arguments = ", ".join(
        rng.choice(["1", "-1", "3.7", "'7'", "'text'", "65", "2^40", "1e300", "nil", "true"]) for _ in range(3)
    )
    return Drawn("format", f"return string.format([=[{_word(rng, parts)}]=], {arguments})".encode())


def _json(rng: Random) -> Drawn:
    parts = [
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        '"a"',
        '"',
        "1",
        "-",
        "+",
        ".5",
        "e3",
        "true",
        "null",
        "\\u00e9",
        "\\x",
        " ",
        "nul",
    ]
    text = _word(rng, parts, 9)
    balanced = rng.choice([text, f"[{text}]", f'{{"k":{text}}}', _json_value(rng, 3)])
    return Drawn("json", f"return cjson.encode({{cjson.decode([==[{balanced}]==])}})".encode())


def _json_value(rng: Random, depth: int) -> str:
    shape = rng.randrange(5 if depth else 3)
    if shape == 3:
        return "[" + ",".join(_json_value(rng, depth - 1) for _ in range(rng.randrange(4))) + "]"
    if shape == 4:
        return '{"' + rng.choice(["a", "b/", "é", "\\n"]) + '": ' + _json_value(rng, depth - 1) + "}"
    return rng.choice(["1", "-2.5", "1e3", "true", "false", "null", '"x"', '"\\u20ac"', "0.1", "123456789012345678"])


def _tokens(rng: Random) -> Drawn:
    words = [rng.choice(TOKENS) for _ in range(rng.randrange(1, 14))]
    return Drawn("tokens", " ".join(words).encode())


def _damaged(rng: Random) -> Drawn:
    """A correct program with a few bytes lost or doubled: what a reader's edit leaves halfway."""
    text = bytearray(program(rng).encode())
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text))
        if rng.randrange(2):
            del text[at : at + rng.randrange(1, 4)]
        else:
            text.insert(at, rng.choice(b"()[]{}'=,.#-\"x1\n\r\0\xff"))
    return Drawn("damaged", bytes(text))


def _mutated(rng: Random) -> Drawn:
    """A rule with a few tokens lost, put elsewhere, or replaced by those of other rules."""
    tokens = list(rng.choice(_RULES))
    for _ in range(rng.randrange(1, 4)):
        at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        stranger = rng.choice(rng.choice(_RULES))
        change = rng.randrange(4)
        if change == 0 and len(tokens) > 1:
            del tokens[at]
        elif change == 1:
            tokens[at] = stranger
        elif change == 2:
            tokens.insert(at, stranger)
        else:
            tokens[at], tokens[other] = tokens[other], tokens[at]
    return Drawn("mutated", "".join(tokens).encode())


def _word(rng: Random, parts: list[str], length_max: int = 6) -> str:
    return "".join(rng.choice(parts) for _ in range(rng.randrange(1, length_max)))


FAMILIES = (_program, _call, _expression, _pattern, _format, _json, _tokens, _damaged, _mutated)

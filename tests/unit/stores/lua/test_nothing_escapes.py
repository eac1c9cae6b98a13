"""Whatever a reader types, a script ends with a reply or with an error reply: no Python exception gets out."""

from hypothesis import given, settings
from hypothesis import strategies as st

from py_runtime.stores.lua import compile_script
from py_runtime.stores.replies import ErrorReply, Status

TOKENS = """and break do else elseif end false for function if in local nil not or repeat return then true until while
+ - * / % ^ # == ~= <= >= < > = ( ) { } [ ] ; : , . .. ... x y t 1 2.5 0x1F 1e400 'a' "b" [[c]] KEYS ARGV
redis.call string.rep string.format string.gsub table.sort pcall error cjson.encode cjson.decode 3x @ \\ ~ 'open [=[
--[[""".split()

VALUES = (
    """nil true false 1 -2 0.5 1e300 0/0 1/0 2^53 '' 'a' '10' '%d' '[a' '(' '%b' {} {1,2} {1,nil,3} {a=1} KEYS
ARGV _G redis.call string cjson.null function()return{}end""".split()
    + ["function(...) return ... end"]
)

FUNCTIONS = """tostring tonumber type string.len string.rep string.sub string.byte string.char string.find string.match
string.gsub string.gmatch string.format string.upper string.reverse table.concat table.insert table.remove table.sort
table.maxn table.foreach unpack select math.floor math.max math.fmod math.modf math.ldexp math.frexp math.pow math.log
math.random math.randomseed math.cosh rawget rawset rawequal next pairs ipairs pcall xpcall error assert redis.sha1hex
redis.error_reply redis.status_reply redis.pcall redis.log cjson.encode cjson.decode""".split()

calls = st.builds(
    lambda name, given: f"{name}({', '.join(given)})",
    st.sampled_from(FUNCTIONS),
    st.lists(st.deferred(lambda: values), max_size=4),
)
values = st.recursive(
    st.sampled_from(VALUES),
    lambda inner: st.one_of(
        calls,
        st.builds("({} {} {})".format, inner, st.sampled_from("+ - * / % ^ .. == ~= < <= and or".split()), inner),
        st.builds("({})[{}]".format, inner, inner),
        st.builds("({}):{}({})".format, inner, st.sampled_from(["sub", "rep", "find", "format"]), inner),
        st.builds("(not {})".format, inner),
        st.builds("(#{})".format, inner),
    ),
    max_leaves=8,
)


def is_reply(value: object) -> bool:
    if isinstance(value, list):
        return all(is_reply(each) for each in value)
    return value is None or type(value) in (int, bytes, Status) or isinstance(value, ErrorReply)


def run(text: str | bytes) -> None:
    """Runs a script and checks that its end is one a client can be told."""
    try:
        reply = compile_script(text).run(lambda argv: argv[-1], [b"k1"], [b"a1", b"2"], steps_max=2000)
    except ErrorReply as error:
        assert "\n" not in error.text
        assert "\r" not in error.text
    else:
        assert is_reply(reply)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=25).map(" ".join))
def test_no_soup_of_tokens_lets_a_python_exception_out(text: str) -> None:
    run(text)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60))
def test_no_text_at_all_lets_a_python_exception_out(text: str | bytes) -> None:
    run(text)


@settings(max_examples=200, deadline=None)
@given(values)
def test_no_expression_lets_a_python_exception_out(expression: str) -> None:
    run(f"return {expression}")


@settings(max_examples=100, deadline=None)
@given(values, values, values)
def test_no_statement_lets_a_python_exception_out(one: str, two: str, three: str) -> None:
    run(f"local a, b = {one} for k, v in pairs({{{two}}}) do a, b = v, {three} end local t = {{}} t[b] = a return a, t")


@settings(max_examples=100, deadline=None)
@given(st.text("a.%[]()^$*+-?wdbf1 ", max_size=10), st.text("ab1() ", max_size=12), st.text("%01ab", max_size=4))
def test_no_pattern_lets_a_python_exception_out(pattern: str, subject: str, replacement: str) -> None:
    run(f"return {{string.gsub('{subject}', '{pattern}', '{replacement}')}}")
    run(f"return {{string.find('{subject}', '{pattern}')}}")


@settings(max_examples=100, deadline=None)
@given(st.text('{}[],:"\\u019.eE-+xtrufalsn ', max_size=16))
def test_no_json_lets_a_python_exception_out(text: str) -> None:
    run(f"return cjson.encode({{cjson.decode([==[{text}]==])}})")

"""The tables from which the reference page is made, held against the library itself."""

import pytest

from py_runtime.stores.lua import LuaSyntaxError, compile_script, unsupported
from py_runtime.stores.lua.library import GLOBALS
from py_runtime.stores.lua.reference import LIBRARY
from py_runtime.stores.lua.tables import LuaTable


def test_the_page_lists_all_that_the_library_has_and_nothing_else() -> None:
    names = ["_G"]
    for name, value in GLOBALS.items():
        if isinstance(value, LuaTable):
            names += [f"{name.decode()}.{field.decode()}" for field in value.hash]
        else:
            names.append(name.decode())
    assert sorted(form.name for form in LIBRARY) == sorted(names)


@pytest.mark.parametrize("form", LIBRARY, ids=lambda form: form.name)
def test_each_name_is_a_function_where_its_form_is_a_call(form) -> None:
    kind = compile_script(f"return type({form.name})").run(lambda argv: None, [], [])
    assert (kind == b"function") == ("(" in form.form)


@pytest.mark.parametrize("name", sorted(unsupported.GLOBALS))
def test_each_name_that_is_refused_is_refused(name: str) -> None:
    with pytest.raises(LuaSyntaxError, match=f"'{name}' is not supported by this Lua"):
        compile_script(f"return {name}")


def test_what_is_refused_is_not_on_the_page() -> None:
    refused = {f"{table}.{field}" for table, fields in unsupported.FIELDS.items() for field in fields}
    assert not {form.name for form in LIBRARY} & (refused | unsupported.GLOBALS)

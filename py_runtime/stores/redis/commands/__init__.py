"""The command functions, one file per family. Each takes `(db, argv)` and gives a reply or raises `ErrorReply`.

`db` is the `Keyspace`, `argv` the whole command line as bytes, name included; arity has been checked by then.
"""

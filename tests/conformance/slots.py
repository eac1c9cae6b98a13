"""How the two nodes of a cluster share the slots: the same in the real cluster and in the stand-in."""

from py_runtime.stores.redis.slots import SLOT_COUNT

HALVES = (range(SLOT_COUNT // 2), range(SLOT_COUNT // 2, SLOT_COUNT))

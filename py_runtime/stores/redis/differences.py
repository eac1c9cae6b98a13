"""Where the stand-in differs from Redis 7.0 and redis-py, and knows it: for the reference page, and for the tests.

One sentence a row, each about what a program could notice. A difference that is not listed is a mistake. What shows
each is named in tests/unit/stores/test_differences.py.
"""

DIFFERENCES = (
    "There is no persistence, no eviction, no RESP3, no access list and only one database; their commands are refused "
    "as unknown, and so is every command and option that is not listed.",
    "A set and a hash keep the order in which their members were added, and the client walks smembers in sorted order; "
    "Redis promises no order.",
    "SCAN goes through the keys in an order of its own, so its batches hold other keys than Redis's.",
    "INCRBYFLOAT and HINCRBYFLOAT count as Redis does on x86, with a mantissa of 64 bits, and refuse what is beyond "
    "10^4200; Redis goes on to 10^4932.",
    "A key ends for DBSIZE right after its moment; Redis counts a lapsed key until it comes across it.",
    "The client sends incr(name) as INCR and decr(name) as DECR, which is easier to read in a trace; redis-py sends "
    "INCRBY and DECRBY with 1.",
    "The client sends nothing again by itself; redis-py tries a lost call up to ten times. A cluster's client does try "
    "again, but without a pause.",
    "Replication counts writes; Redis counts bytes, and so does its ROLE.",
    "A replica acknowledges each write as it applies it; a replica of Redis does so once a second, or when WAIT asks.",
    "A lapsed key is deleted on a primary, and so on its replicas, with the next command; Redis may take longer.",
    "A plain call has no connection of its own: MULTI, WATCH and SUBSCRIBE are refused there and need pipeline(), "
    "pubsub() or client().",
    "A pipeline without a transaction lets others come in after each of its commands; Redis carries out what it has "
    "read of one connection before it reads another.",
    "Of several patterns that fit a message, those subscribed to earlier get it earlier; Redis promises no order.",
    "Whoever unsubscribes from all leaves in order of subscription; Redis promises no order.",
    "A subscriber that does not read keeps its connection; Redis closes it once 32 MB wait for it. One whose "
    "connection is gone connects again at once or raises ConnectionError, where redis-py tries ten times.",
    "For WAIT a client is its actor: whatever the actor has written counts as written by that client.",
    "A replica drops a lapsed key, which Redis hides until its primary deletes it: seen only if its clock is set back.",
    "REPLICAOF reaches only servers that have replicated with this one, directly or through others.",
    "A scenario promotes a replica; there are no sentinels that watch and vote, and no FAILOVER command.",
    "CLUSTER INFO says the state and counts of slots and nodes only, and a node's id follows from its name.",
    "Nodes of a cluster have no replicas, and slots move at once: there is no ASK. What is published at one node is at "
    "the others at once. A cluster's client has no pipelines, and subscribes at the first node.",
)

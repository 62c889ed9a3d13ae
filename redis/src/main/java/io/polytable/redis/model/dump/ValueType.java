package io.polytable.redis.model.dump;

import io.polytable.redis.model.packing.MalformedPacking;

/** The types of values in Redis' format; the tags are Redis' own. Those of modules are not supported. */
enum ValueType {
    STRING(0),
    LIST(1),
    SET(2),
    /** Scores as texts. */
    ZSET_OF_TEXTS(3),
    HASH(4),
    /** Scores in eight bytes. */
    ZSET(5),
    HASH_ZIPMAP(9),
    LIST_ZIPLIST(10),
    SET_INTSET(11),
    ZSET_ZIPLIST(12),
    HASH_ZIPLIST(13),
    /** Several ziplists. */
    LIST_QUICKLIST(14),
    STREAM(15),
    HASH_LISTPACK(16),
    ZSET_LISTPACK(17),
    /** Several listpacks, or single elements. */
    LIST_QUICKLIST_2(18),
    /** With the first id, the highest deleted one and the counters of added and read entries. */
    STREAM_2(19),
    SET_LISTPACK(20),
    /** With the time when a consumer last received an entry. */
    STREAM_3(21);

    private final int tag;

    ValueType(int tag) {
        this.tag = tag;
    }

    int tag() {
        return tag;
    }

    static ValueType ofTag(int tag) {
        for (ValueType type : values()) {
            if (type.tag == tag) {
                return type;
            }
        }
        throw new MalformedPacking("the type is unknown");
    }
}

package io.polytable.redis.model.rdb;

import io.polytable.redis.model.dump.ValueParts;
import io.polytable.table.Bytes;
import java.util.OptionalLong;

/** Something in an RDB file. */
public sealed interface RdbItem {
    /** A fact about the server that wrote the file. */
    record Aux(Bytes name, Bytes value) implements RdbItem {}

    /** The database of the keys that follow. */
    record Database(int number) implements RdbItem {}

    /** About how many keys the database has, and how many of them have a deadline. */
    record Sizes(long keys, long expires) implements RdbItem {}

    /** The source of a library of functions. */
    record Function(Bytes source) implements RdbItem {}

    /**
     * A key. Its value is read before the next item.
     *
     * @param expireAt in milliseconds since 1970, or {@link io.polytable.redis.model.row.Header#NEVER}
     * @param idleSeconds since its last use, where the server that wrote the file knew it
     */
    record Key(Bytes key, long expireAt, OptionalLong idleSeconds, ValueParts value) implements RdbItem {}

    /** The end of the file, whose checksum was right or switched off. */
    record End() implements RdbItem {}
}

package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;

/**
 * Who wants to know that a key has come to hold elements. A unit of work asks while it writes and tells after its
 * commit, in both cases holding the stripe of the key: so whoever starts to want a key under the same stripe misses
 * nothing.
 */
public interface Arrivals {
    /** Nobody wants anything. */
    Arrivals UNWANTED = new Arrivals() {
        @Override
        public boolean wants(int database, Bytes key) {
            return false;
        }

        @Override
        public void arrived(int database, Bytes key, Type type) {}

        @Override
        public void databasesChanged() {}
    };

    /** Asked for every collection that is written: no must be a quick answer. */
    boolean wants(int database, Bytes key);

    /** The key holds a collection of this type with at least one element. */
    void arrived(int database, Bytes key, Type type);

    /** Any key of any database may have come, since databases were exchanged. */
    void databasesChanged();
}

package io.polytable.entity.cassandra.scan;

import io.polytable.table.Bytes;
import java.util.LinkedHashMap;
import java.util.Map;

/** An LRU set of keys that this process has added to an index, so that it need not add them again. */
final class RecentKeys {
    private static final int KEYS_MAX = 20_000;
    private static final int KEY_BYTES_MAX = 256;

    private final Map<Bytes, Boolean> keys = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Bytes, Boolean> eldest) {
            return size() > KEYS_MAX;
        }
    };

    synchronized boolean contains(Bytes key) {
        return keys.get(key) != null;
    }

    synchronized void add(Bytes key) {
        if (key.length() <= KEY_BYTES_MAX) {
            keys.put(key, true);
        }
    }
}

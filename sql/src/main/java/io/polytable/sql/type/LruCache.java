package io.polytable.sql.type;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/** A thread-safe map of bounded weight that evicts the least recently used entries. */
public final class LruCache<K, V> {
    private final long weightMax;
    private final ToLongBiFunction<K, V> weight;
    private final LinkedHashMap<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long total;

    /** @param weight of an entry, constant for its lifetime */
    public LruCache(long weightMax, ToLongBiFunction<K, V> weight) {
        this.weightMax = weightMax;
        this.weight = weight;
    }

    public synchronized @Nullable V get(K key) {
        return entries.get(key);
    }

    /** An entry heavier than the limit is not kept. */
    public synchronized void put(K key, V value) {
        remove(key);
        long added = weight.applyAsLong(key, value);
        if (added > weightMax) {
            // Making space for it would evict all others, and then itself.
            return;
        }
        entries.put(key, value);
        total += added;
        while (total > weightMax) {
            Map.Entry<K, V> eldest = entries.entrySet().iterator().next();
            remove(eldest.getKey());
        }
    }

    public synchronized void remove(K key) {
        V removed = entries.remove(key);
        if (removed != null) {
            total -= weight.applyAsLong(key, removed);
        }
    }

    public synchronized int size() {
        return entries.size();
    }

    public synchronized void clear() {
        entries.clear();
        total = 0;
    }
}

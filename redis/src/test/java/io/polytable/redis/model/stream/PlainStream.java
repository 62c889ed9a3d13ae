package io.polytable.redis.model.stream;

import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/** The plainest stream that could be right: maps in memory. */
final class PlainStream {
    final TreeMap<StreamId, List<Bytes>> entries = new TreeMap<>();
    final Map<Bytes, PlainGroup> groups = new TreeMap<>();
    StreamId last = StreamId.MIN;

    static final class PlainGroup {
        StreamId last;
        final TreeSet<Bytes> consumers = new TreeSet<>();
        final TreeMap<StreamId, Pending> pending = new TreeMap<>();

        PlainGroup(StreamId last) {
            this.last = last;
        }
    }

    void add(StreamId id, List<Bytes> fields) {
        entries.put(id, fields);
        last = id;
    }

    long delete(List<StreamId> ids) {
        return ids.stream().distinct().filter(id -> entries.remove(id) != null).count();
    }

    long trimToLength(long length) {
        long gone = 0;
        for (; entries.size() > length; gone++) {
            entries.pollFirstEntry();
        }
        return gone;
    }

    long trimToId(StreamId id) {
        long before = entries.size();
        entries.headMap(id, false).clear();
        return before - entries.size();
    }

    List<StreamId> deliver(Bytes group, Bytes consumer, long count, long nowMillis) {
        PlainGroup reading = Objects.requireNonNull(groups.get(group));
        reading.consumers.add(consumer);
        List<StreamId> ids = entries.tailMap(reading.last, false).keySet().stream()
                .limit(count)
                .toList();
        for (StreamId id : ids) {
            reading.pending.put(id, new Pending(id, consumer, nowMillis, 1));
            reading.last = id;
        }
        return ids;
    }

    long acknowledge(Bytes group, List<StreamId> ids) {
        PlainGroup reading = Objects.requireNonNull(groups.get(group));
        return ids.stream().filter(id -> reading.pending.remove(id) != null).count();
    }

    List<StreamId> claim(Bytes group, Bytes consumer, List<StreamId> ids, long nowMillis) {
        PlainGroup reading = Objects.requireNonNull(groups.get(group));
        reading.consumers.add(consumer);
        List<StreamId> claimed = new ArrayList<>();
        for (StreamId id : ids) {
            Pending pending = reading.pending.get(id);
            if (pending != null && entries.containsKey(id)) {
                reading.pending.put(id, new Pending(id, consumer, nowMillis, pending.deliveries() + 1));
                claimed.add(id);
            } else {
                reading.pending.remove(id);
            }
        }
        return claimed;
    }

    long deleteConsumer(Bytes group, Bytes consumer) {
        PlainGroup reading = Objects.requireNonNull(groups.get(group));
        long before = reading.pending.size();
        reading.pending.values().removeIf(pending -> pending.consumer().equals(consumer));
        reading.consumers.remove(consumer);
        return before - reading.pending.size();
    }
}

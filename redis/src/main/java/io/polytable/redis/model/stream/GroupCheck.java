package io.polytable.redis.model.stream;

import io.polytable.redis.model.row.ElementKind;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.HashMap;
import java.util.Map;

/**
 * Verifies that the groups of a stream agree with their rows: each pending entry has an existing owner and a row in
 * the owner's index, all counts are right, and no row belongs to a missing group.
 */
final class GroupCheck {
    private final Reader reader;
    private final StoredStream stored;
    private final java.util.function.Consumer<String> problems;
    private long consumerRows;
    private long pendingRows;

    GroupCheck(Reader reader, StoredStream stored, java.util.function.Consumer<String> problems) {
        this.reader = reader;
        this.stored = stored;
        this.problems = problems;
    }

    void run() {
        try (Cursor rows = stored.scan(reader, ElementKind.STREAM_GROUP)) {
            while (rows.next()) {
                Bytes name = StoredStream.sub(rows);
                try {
                    check(Group.decode(name, rows.value()));
                } catch (StoreException e) {
                    if (e.error() != StoreError.CORRUPT) {
                        throw e;
                    }
                    problems.accept("its group " + name + " has rows that cannot be read");
                }
            }
        }
        compare("consumers", count(ElementKind.STREAM_CONSUMER), consumerRows);
        compare("pending entries", count(ElementKind.STREAM_PENDING), pendingRows);
        compare("pending entries in the order of their owners", count(ElementKind.STREAM_OWNED), pendingRows);
    }

    private void compare(String what, long rows, long owned) {
        if (rows != owned) {
            problems.accept("it has " + rows + " " + what + ", its groups " + owned);
        }
    }

    private long count(ElementKind kind) {
        long count = 0;
        try (Cursor rows = stored.scan(reader, kind)) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    private void check(Group group) {
        Map<Bytes, Consumer> consumers = consumers(group);
        Map<Bytes, Long> owned = new HashMap<>();
        long pending = 0;
        try (Cursor rows = stored.scan(reader, ElementKind.STREAM_PENDING, StreamRows.ofGroup(group.name()))) {
            while (rows.next()) {
                pending++;
                pendingRows++;
                Pending each = Pending.decode(StreamRows.id(StoredStream.sub(rows)), rows.value());
                owned.merge(each.consumer(), 1L, Long::sum);
                check(group, consumers, each);
            }
        }
        if (group.pending() != pending || group.consumers() != consumers.size()) {
            problems.accept("its group " + group.name() + " counts " + group.pending() + " pending entries and "
                    + group.consumers() + " consumers, it has " + pending + " and " + consumers.size());
        }
        consumers.values().forEach(consumer -> {
            if (consumer.pending() != owned.getOrDefault(consumer.name(), 0L)) {
                problems.accept("its consumer " + consumer.name() + " of " + group.name() + " counts "
                        + consumer.pending() + " pending entries, it has "
                        + owned.getOrDefault(consumer.name(), 0L));
            }
        });
    }

    private Map<Bytes, Consumer> consumers(Group group) {
        Map<Bytes, Consumer> consumers = new HashMap<>();
        try (Cursor rows = stored.scan(reader, ElementKind.STREAM_CONSUMER, StreamRows.ofGroup(group.name()))) {
            while (rows.next()) {
                consumerRows++;
                Consumer consumer = Consumer.decode(StreamRows.behindGroup(StoredStream.sub(rows)), rows.value());
                consumers.put(consumer.name(), consumer);
            }
        }
        return consumers;
    }

    private void check(Group group, Map<Bytes, Consumer> consumers, Pending pending) {
        if (!consumers.containsKey(pending.consumer())) {
            problems.accept("its pending entry " + pending.id() + " of " + group.name() + " belongs to no consumer");
        }
        Bytes place = StreamRows.ofOwned(group.name(), pending.consumer(), pending.id());
        if (stored.read(reader, ElementKind.STREAM_OWNED, place).isEmpty()) {
            problems.accept("its pending entry " + pending.id() + " of " + group.name() + " is not among its owner's");
        }
        if (pending.id().isBefore(group.oldest()) || pending.id().isAfter(group.newest())) {
            problems.accept(
                    "its pending entry " + pending.id() + " of " + group.name() + " is where no reader looks for it");
        }
    }
}

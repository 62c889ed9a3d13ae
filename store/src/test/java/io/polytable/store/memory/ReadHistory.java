package io.polytable.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which answers a reader without a lock may get beside one writer: those that were right at some moment while it read.
 * Each change of a key is a version of it, and its value says which. A reader that began when version 7 was committed and
 * ended when 9 was about to be must see 7, 8 or 9. And what it has seen must be covered by the position it is told then.
 */
public final class ReadHistory {
    private final AtomicLongArray started;
    private final AtomicLongArray committed;
    private final boolean[][] present;
    private final long[][] positions;

    public ReadHistory(int keys, int versionsMax) {
        started = new AtomicLongArray(keys);
        committed = new AtomicLongArray(keys);
        present = new boolean[keys][versionsMax + 1];
        positions = new long[keys][versionsMax + 1];
    }

    /** The next version of the key, a row or none, which the writer is about to commit at the position. */
    public long begin(int key, boolean row, long position) {
        long version = started.get(key) + 1;
        present[key][(int) version] = row;
        positions[key][(int) version] = position;
        started.set(key, version);
        return version;
    }

    /** All versions that were begun are committed. */
    public void end() {
        for (int key = 0; key < started.length(); key++) {
            committed.set(key, started.get(key));
        }
    }

    /** A value that tells its version, of at least eight bytes. */
    public static Bytes value(long version, int bytes) {
        return Bytes.of(ByteBuffer.allocate(bytes).putLong(version).array());
    }

    /** To be asked before a reader reads. */
    public long before(int key) {
        return committed.get(key);
    }

    /** Whether the key has a row, now that nobody writes. */
    public boolean has(int key) {
        return present[key][(int) committed.get(key)];
    }

    /** What the reader was answered, and the position that was said to cover it. */
    public void check(int key, long before, Optional<Bytes> answer, long covered, String where) {
        long after = started.get(key);
        if (answer.isPresent()) {
            Bytes value = answer.get();
            long version = ByteBuffer.wrap(value.array(), value.offset(), value.length())
                    .getLong();
            assertThat(version)
                    .as("%s, key %d: stale or from the future", where, key)
                    .isBetween(before, after);
            assertThat(present[key][(int) version])
                    .as("%s, key %d: a deleted row", where, key)
                    .isTrue();
            assertThat(positions[key][(int) version])
                    .as("%s, key %d: seen before it is covered", where, key)
                    .isLessThanOrEqualTo(covered);
            return;
        }
        boolean mayBeAbsent = false;
        for (long version = before; version <= after; version++) {
            mayBeAbsent |= !present[key][(int) version];
        }
        assertThat(mayBeAbsent)
                .as("%s, key %d: absent between versions %d and %d", where, key, before, after)
                .isTrue();
    }
}

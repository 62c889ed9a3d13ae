package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing waits for an object storage while it holds a lock that writers need. */
@Timeout(60)
class SlowStorageTest {
    private static final Duration BLOCKED = Duration.ofSeconds(1);
    private static final int KEYS = 100;

    @TempDir
    private Path directory = Path.of("");

    private final Set<String> held = Collections.newSetFromMap(new ConcurrentHashMap<>());

    @Test
    void aFlushOfTombstonesDownloadsWithoutLocks() throws Exception {
        try (MemoryStore store = new MemoryStore();
                MemoryS3 bucket = new MemoryS3();
                TierFixture sql = new TierFixture(store, directory)) {
            sql.run(bucket.definition("cloud"));
            sql.run("CREATE TABLE t (id INT PRIMARY KEY, v TEXT) WITH (storage_id = 'cloud')");
            sql.run("INSERT INTO t SELECT i, 'v' FROM range(" + KEYS + ") AS r(i)");
            sql.run("FLUSH TABLE t");
            sql.run("DELETE FROM t WHERE id < " + KEYS / 2);
            bucket.transit = bytes -> {
                look(store, sql);
                return bytes;
            };
            int before = bucket.downloads.get();
            sql.run("FLUSH TABLE t");
            assertThat(bucket.downloads.get()).as("the new file was fetched").isGreaterThan(before);
            assertThat(held).isEmpty();
            assertThat(sql.ask("SELECT count(*) FROM t")).containsExactly(Integer.toString(KEYS / 2));
        }
    }

    /** On the thread of the storage, while the flush waits for its answer. */
    private void look(MemoryStore store, TierFixture sql) {
        if (store.stripes().tryLockEverything(BLOCKED, () -> false)) {
            store.stripes().unlockEverything();
        } else {
            held.add("stripes");
        }
        Lock defining = sql.face.engine().catalog().defining();
        if (defining.tryLock()) {
            defining.unlock();
        } else {
            held.add("catalog");
        }
    }
}

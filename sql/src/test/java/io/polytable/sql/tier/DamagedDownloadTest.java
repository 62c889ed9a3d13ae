package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.SqlOptions;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Downloads that arrive with their length and other bytes: no answer is made from them. */
@Timeout(60)
class DamagedDownloadTest {
    private static final String SUM = "SELECT count(*), sum(v) FROM t WHERE v > 0";

    @TempDir
    private Path directory = Path.of("");

    private final MemoryS3 bucket = new MemoryS3();
    private final MemoryStore store = new MemoryStore();
    private TierFixture sql = new TierFixture(store, Path.of(System.getProperty("java.io.tmpdir")));

    DamagedDownloadTest() throws IOException {}

    @BeforeEach
    void open() {
        sql.close();
        sql = new TierFixture(store, SqlOptions.in(directory), InstantSource.system());
        sql.run(bucket.definition("cloud"));
        sql.run("CREATE TABLE t (id INT PRIMARY KEY, v BIGINT)" + " WITH (storage_id = 'cloud', compression = 'none')");
        sql.run("INSERT INTO t SELECT i, i * 1000003 FROM range(500) AS r(i)");
        sql.run("FLUSH TABLE t");
    }

    @AfterEach
    void close() {
        sql.close();
        store.close();
        bucket.close();
    }

    /** In the middle of the first pages, where no footer and no length shows it. */
    private static byte[] damaged(byte[] bytes) {
        bytes[bytes.length / 4] ^= 1;
        return bytes;
    }

    @Test
    void aDamagedFileIsATypedErrorAndNeverCached() {
        bucket.transit = DamagedDownloadTest::damaged;
        assertThatThrownBy(() -> sql.ask(SUM))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.DATA_CORRUPTED))
                .hasMessageContaining("batch-");
        assertThatThrownBy(() -> sql.ask("SELECT v FROM t WHERE id = 7")).isInstanceOf(SqlError.class);
        assertThat(bucket.downloads).as("each query fetched it twice").hasValue(4);
        bucket.transit = bytes -> bytes;
        assertThat(sql.ask(SUM)).containsExactly("499 | 124750374250");
    }

    @Test
    void aDownloadDamagedInTransitIsRepeated() {
        AtomicInteger count = new AtomicInteger();
        bucket.transit = bytes -> count.incrementAndGet() == 1 ? damaged(bytes) : bytes;
        assertThat(sql.ask(SUM)).containsExactly("499 | 124750374250");
        assertThat(bucket.downloads).hasValue(2);
        assertThat(sql.ask(SUM)).as("from the cache").containsExactly("499 | 124750374250");
        assertThat(bucket.downloads).hasValue(2);
    }
}

package io.polytable.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.TableKind;
import io.polytable.table.TableOptions;
import io.polytable.table.WriteBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.RocksDB;

class TuningTest {
    static {
        RocksDB.loadLibrary();
    }

    @ParameterizedTest
    @CsvSource({"USER, 64", "SHARED, 64", "FACE, 64", "STREAM, 16", "SYSTEM, 8"})
    void eachKindHasItsMemtables(TableKind kind, int megabytes) {
        assertBuffers(kind, TableOptions.DEFAULT, megabytes, 2);
    }

    @Test
    void aTableMayHaveOthers() {
        assertBuffers(TableKind.SHARED, TableOptions.DEFAULT.withBuffers(new WriteBuffers(32 << 20, 160 << 20)), 32, 5);
    }

    private static void assertBuffers(TableKind kind, TableOptions options, int megabytes, int count) {
        Tuning tuning = new Tuning(64 << 20);
        try (ColumnFamilyOptions family = tuning.family(kind, options)) {
            assertThat(family.writeBufferSize()).isEqualTo((long) megabytes << 20);
            assertThat(family.maxWriteBufferNumber()).isEqualTo(count);
        } finally {
            tuning.close();
        }
    }
}

package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

/** Fluss' client is published with an old RocksDB inside; ours must be the only one. */
class ClassPathTest {
    @Test
    void thereIsOneRocksDbAndItIsOurs() throws IOException {
        List<URL> found =
                Collections.list(ClassPathTest.class.getClassLoader().getResources("org/rocksdb/RocksDB.class"));
        assertThat(found).hasSize(1);
        assertThat(found.get(0).toString()).contains("rocksdbjni-11.8.1");
        assertThat(RocksDB.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString())
                .contains("rocksdbjni-11.8.1");
        RocksDB.loadLibrary();
        assertThat(RocksDB.rocksdbVersion()).hasToString("11.8.1");
    }

    @Test
    void thereIsOneLoggingApi() throws IOException {
        assertThat(Collections.list(ClassPathTest.class.getClassLoader().getResources("org/slf4j/Logger.class")))
                .hasSize(1);
    }
}

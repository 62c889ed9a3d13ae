package io.polytable.server.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import io.polytable.examples.phonebook.Phonebook;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The phone book on a server, through its HTTP port and through its HBase frontend: every step has the same result. */
@Timeout(120)
class PhonebookStoresTest {
    @TempDir
    private Path directory;

    @Test
    void everyStepGivesWhatItShouldOnBothWays() {
        try (EntityServer server = EntityServer.on(
                directory, "--hbase.enabled=true", "--hbase.port=0", "--hbase.master.port=0", "--zookeeper.port=0")) {
            String remote = run(server.uri().withInstance("phones"));
            EntityUri hbase = EntityUri.remote(StoreKind.HBASE, List.of("localhost"), server.hbaseZooKeeperPort());
            assertThat(remote).endsWith("done\n");
            assertThat(run(hbase.withInstance("phones").withOption("layout.lease.millis", "200")))
                    .isEqualTo(remote);
        }
    }

    private static String run(EntityUri uri) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Phonebook.run(uri, new PrintStream(output, true, StandardCharsets.UTF_8));
        return output.toString(StandardCharsets.UTF_8);
    }
}

package io.polytable.server.entity;

import io.polytable.entity.contract.LayoutRace;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three processes and a server: two change a layout while the third writes. */
@Timeout(900)
class LayoutRaceTest {
    @TempDir
    private Path directory;

    @Test
    void nothingIsWrittenUnderAWithdrawnLayout() throws Exception {
        try (EntityServer server = EntityServer.on(directory)) {
            LayoutRace.run(server.uri().withInstance("race"), 20);
        }
    }
}

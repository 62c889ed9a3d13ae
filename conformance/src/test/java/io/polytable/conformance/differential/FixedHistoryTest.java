package io.polytable.conformance.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.history.FixedHistories;
import io.polytable.conformance.history.History;
import io.polytable.conformance.process.BothServers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The corners that were thought of, rather than drawn: each hand-written line on both servers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FixedHistoryTest {
    private BothServers servers;

    @BeforeAll
    void start(@TempDir Path directory) {
        servers = BothServers.start(directory);
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    @ParameterizedTest
    @CsvSource({"connection, 2", "connection, 3", "types, 2", "types, 3"})
    void answersAsTheReferenceDoes(String file, int protocol) {
        Duel duel = new Duel(servers.reference(), servers.ours(), new SevenTwo());
        List<String> differences = new ArrayList<>();
        for (History history : FixedHistories.read(file, protocol)) {
            duel.play(history).ifPresent(found -> differences.add("\n" + history + "\n  " + found));
        }
        assertThat(differences).isEmpty();
    }
}

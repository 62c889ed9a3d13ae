package io.polytable.conformance.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.history.FixedHistories;
import io.polytable.conformance.history.History;
import io.polytable.conformance.history.Step;
import io.polytable.conformance.process.BothServers;
import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.resp.RespConnection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hand-written corner cases: each line on both servers. */
@OnSharedServers
class FixedHistoryTest {
    private BothServers servers;

    @BeforeAll
    void start(SharedServers shared) {
        servers = shared.both();
    }

    @ParameterizedTest
    @CsvSource({
        "connection, 2",
        "connection, 3",
        "types, 2",
        "types, 3",
        "collections, 2",
        "collections, 3",
        "sort, 2",
        "sort, 3",
        "dump, 2",
        "functions, 2",
        "functions, 3",
        "scripts, 2",
        "scripts, 3",
        "config, 2",
        "encodings, 2",
        "encodings, 3"
    })
    void answersAsTheReferenceDoes(String file, int protocol) {
        Duel duel = new Duel(servers.reference(), servers.ours(), new SevenTwo());
        List<String> differences = new ArrayList<>();
        for (History history : FixedHistories.read(file, protocol)) {
            duel.play(history).ifPresent(found -> differences.add("\n" + history + "\n  " + found));
        }
        assertThat(differences).isEmpty();
    }

    /** Elsewhere a lighter encoding will do; these histories are such that 7.0 and 7.2 have the same. */
    @Test
    void encodingsAreExactlyThoseOfTheReference() {
        List<String> differences = new ArrayList<>();
        try (RespConnection theirs = servers.reference().connect();
                RespConnection mine = servers.ours().connect()) {
            for (History history : FixedHistories.read("encodings", 2)) {
                theirs.call("FLUSHALL");
                mine.call("FLUSHALL");
                for (Step step : history.steps()) {
                    List<String> words = ((Step.Call) step).words();
                    String expected = theirs.call(words).bytes();
                    String answer = mine.call(words).bytes();
                    if (words.get(0).equals("OBJECT") && !expected.equals(answer)) {
                        differences.add(history + "\n  " + words + ": " + expected + " and not " + answer);
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
    }
}

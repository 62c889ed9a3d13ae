package io.polytable.conformance.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.history.History;
import io.polytable.conformance.history.HistoryWriter;
import io.polytable.conformance.history.Step;
import io.polytable.conformance.process.RedisServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the harness: two equal servers show no difference, two unequal ones do. */
class HarnessTest {
    private static final int STEPS = 400;
    private static final int SEEDS = 12;

    private final HistoryWriter writer = new HistoryWriter();

    @Test
    void seesNoDifferenceBetweenTwoEqualServers(@TempDir Path directory) {
        assertAlike(directory, SEEDS);
    }

    @Test
    @Tag("peers")
    void seesNoDifferenceInManyHistoriesEither(@TempDir Path directory) {
        assertAlike(directory, SEEDS * 40);
    }

    private void assertAlike(Path directory, int seeds) {
        try (RedisServerProcess one = RedisServerProcess.start(directory.resolve("one"));
                RedisServerProcess other = RedisServerProcess.start(directory.resolve("other"))) {
            Duel duel = new Duel(one, other, Dialect.SAME);
            for (History history : histories(seeds)) {
                Report.assertAlike(duel, history);
            }
        }
    }

    /** The planted server's GET is really GETDEL: only a later step can detect that. */
    @Test
    void findsAndShortensAChangedEffect(@TempDir Path directory) {
        String report = firstDifference(directory, "--rename-command", "GET", "", "--rename-command", "GETDEL", "GET");
        assertThat(report).contains("seed ").contains("shortest history (").containsIgnoringCase("get ");
        assertThat(shortestLength(report)).as(report).isLessThanOrEqualTo(5);
    }

    @Test
    void findsAMissingCommand(@TempDir Path directory) {
        String report = firstDifference(directory, "--rename-command", "HSTRLEN", "");
        assertThat(report).containsIgnoringCase("hstrlen").contains("unknown command");
        assertThat(shortestLength(report)).as(report).isEqualTo(1);
    }

    /** A small difference of behaviour that shows in one reply only. */
    @Test
    void findsAnotherEncoding(@TempDir Path directory) {
        History history = history(List.of("ZADD", "z", "1", "a", "2", "b"), List.of("OBJECT", "ENCODING", "z"));
        assertThat(differences(directory, history, "--zset-max-listpack-entries")
                        .get(0))
                .hasValueSatisfying(report -> assertThat(report)
                        .containsIgnoringCase("object encoding")
                        .contains("\"listpack\"")
                        .contains("\"skiplist\""));
    }

    /** The other server has the same fields, but keeps them in a table, without an order. */
    @Test
    void findsAnotherOrderOfASmallHash(@TempDir Path directory) {
        List<String> hash = new ArrayList<>(List.of("HSET", "h"));
        IntStream.range(0, 60).forEach(i -> hash.add("w" + i));
        List<Optional<String>> found =
                differences(directory, history(hash, List.of("HKEYS", "h")), "--hash-max-listpack-entries");
        assertThat(found.get(0)).hasValueSatisfying(report -> assertThat(report).contains("HKEYS h"));
        assertThat(found.get(1)).as("the order of a table means nothing").isEmpty();
    }

    private static History history(List<String> first, List<String> second) {
        return new History(1, List.of(new Step.Call(0, first), new Step.Call(0, second)));
    }

    /** What is different on a server with 1 as the value of the option, and with the roles exchanged. */
    private static List<Optional<String>> differences(Path directory, History history, String option) {
        try (RedisServerProcess one = RedisServerProcess.start(directory.resolve("one"));
                RedisServerProcess other = RedisServerProcess.start(directory.resolve("other"), option, "1")) {
            return List.of(
                    Report.difference(new Duel(one, other, Dialect.SAME), history),
                    Report.difference(new Duel(other, one, Dialect.SAME), history));
        }
    }

    private String firstDifference(Path directory, String... options) {
        try (RedisServerProcess one = RedisServerProcess.start(directory.resolve("one"));
                RedisServerProcess other = RedisServerProcess.start(directory.resolve("other"), options)) {
            Duel duel = new Duel(one, other, Dialect.SAME);
            return histories(40).stream()
                    .map(history -> Report.difference(duel, history))
                    .flatMap(Optional::stream)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("The planted difference was not found"));
        }
    }

    private List<History> histories(int seeds) {
        return LongStream.rangeClosed(1, seeds)
                .mapToObj(seed -> writer.write(seed, STEPS))
                .toList();
    }

    private static int shortestLength(String report) {
        return Integer.parseInt(report.replaceFirst("(?s).*shortest history \\((\\d+) steps.*", "$1"));
    }
}

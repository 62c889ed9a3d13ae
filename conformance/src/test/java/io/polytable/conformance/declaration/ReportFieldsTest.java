package io.polytable.conformance.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.BothServers;
import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Our reports have the fields of the reference's reports: INFO, CLIENT LIST, MEMORY STATS. */
@OnSharedServers
class ReportFieldsTest {
    /** What Redis 7.2 reports and the reference does not yet. */
    private static final Set<String> SINCE_SEVEN_TWO = Set.of(
            "eventloop_cycles",
            "eventloop_duration_cmd_sum",
            "eventloop_duration_sum",
            "instantaneous_eventloop_cycles_per_sec",
            "instantaneous_eventloop_duration_usec",
            "total_blocking_keys",
            "total_blocking_keys_on_nokey");

    private BothServers servers;

    @BeforeAll
    void start(SharedServers shared) {
        servers = shared.both();
        for (RespServer server : List.of(servers.reference(), servers.ours())) {
            try (RespConnection connection = server.connect()) {
                connection.call("SET", "k", "v", "EX", "1000");
            }
        }
    }

    @Test
    void infoHasTheFieldsOfTheReference() {
        Set<String> missing = new TreeSet<>(infoFields(servers.reference()));
        missing.removeIf(field -> field.startsWith("cmdstat_") || field.startsWith("latency_percentiles_"));
        missing.addAll(SINCE_SEVEN_TWO);
        missing.removeAll(infoFields(servers.ours()));
        assertThat(missing).isEmpty();
    }

    private static List<String> infoFields(RespServer server) {
        try (RespConnection connection = server.connect()) {
            return connection
                    .call("INFO", "EVERYTHING")
                    .tree()
                    .text()
                    .lines()
                    .filter(line -> line.contains(":"))
                    .map(line -> line.substring(0, line.indexOf(':')))
                    .toList();
        }
    }

    @Test
    void clientListHasTheFieldsOfTheReferenceInItsOrder() {
        List<String> ours = clientFields(servers.ours());
        assertThat(ours).containsSubsequence(clientFields(servers.reference()));
        assertThat(ours).endsWith("lib-name", "lib-ver");
    }

    private static List<String> clientFields(RespServer server) {
        try (RespConnection connection = server.connect()) {
            String line = connection.call("CLIENT", "LIST").tree().text().strip();
            List<String> fields = new ArrayList<>();
            for (String part : line.split(" ", -1)) {
                fields.add(part.substring(0, part.indexOf('=')));
            }
            return fields;
        }
    }

    @Test
    void theWordsOfARunningCallCountAsTheClients() {
        try (RespConnection theirs = servers.reference().connect();
                RespConnection mine = servers.ours().connect()) {
            String expected = theirs.call("CLIENT", "INFO").tree().text();
            String line = mine.call("CLIENT", "INFO").tree().text();
            assertThat(field(line, "argv-mem")).isEqualTo(field(expected, "argv-mem"));
            assertThat(Long.parseLong(field(line, "qbuf"))).isPositive();
        }
    }

    private static String field(String line, String name) {
        for (String part : line.split(" ", -1)) {
            if (part.startsWith(name + "=")) {
                return part.substring(name.length() + 1);
            }
        }
        throw new AssertionError(name + " is not in " + line);
    }

    @Test
    void memoryStatsHasTheFieldsOfTheReference() {
        assertThat(memoryFields(servers.ours())).containsAll(memoryFields(servers.reference()));
    }

    private static List<String> memoryFields(RespServer server) {
        try (RespConnection connection = server.connect()) {
            List<Resp> items = connection.call("MEMORY", "STATS").tree().items();
            List<String> fields = new ArrayList<>();
            for (int i = 0; i < items.size(); i += 2) {
                fields.add(items.get(i).text());
                if (items.get(i + 1) instanceof Resp.Many inner) {
                    for (int j = 0; j < inner.items().size(); j += 2) {
                        fields.add(
                                items.get(i).text() + " " + inner.items().get(j).text());
                    }
                }
            }
            return fields;
        }
    }
}

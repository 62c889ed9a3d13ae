package io.polytable.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.server.config.ServerCatalog;
import io.polytable.server.run.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of metrics in docs/operations.md shows what a server reports, with type and meaning. {@code
 * -Dpolytable.rewrite=true} rewrites it.
 */
class MetricsPageTest {
    private static final String BEGIN = "<!-- metrics: written by MetricsPageTest -->\n";
    private static final String END = "<!-- end of metrics -->\n";
    private static final Pattern METRIC =
            Pattern.compile("^# HELP (polytable_\\w+) (.*)\n# TYPE \\1 (\\w+)$", Pattern.MULTILINE);
    private static final Pattern ROW = Pattern.compile("^\\| `(polytable_\\w+)` \\| .*\n", Pattern.MULTILINE);

    /** Metrics that need a Fluss cluster or a call of an HBase client; tests of these show them. */
    private static final Pattern NOT_HERE = Pattern.compile("polytable_(projection|hbase_call)\\w*");

    @TempDir
    private Path directory;

    @Test
    void thePageShowsEveryMetric() throws IOException, InterruptedException {
        SortedMap<String, String> reported = rows(scrapeOfAUsedServer());
        assertThat(reported.keySet()).contains("polytable_build_info", "polytable_sql_statement_seconds");
        assertThat(reported.keySet())
                .as("seconds and bytes are the base units")
                .noneMatch(name -> name.matches(".*_(micros|millis|nanos|ms|us|kb|mb)(_total)?"));
        assertThat(reported.values()).as("help texts").noneMatch(row -> row.contains("Statistic of the store"));

        Path page = Path.of(System.getProperty("polytable.root", ".."), "docs", "operations.md");
        String present = Files.readString(page);
        String table = present.substring(present.indexOf(BEGIN) + BEGIN.length(), present.indexOf(END));
        ROW.matcher(table)
                .results()
                .filter(row -> NOT_HERE.matcher(row.group(1)).matches())
                .forEach(row -> reported.putIfAbsent(row.group(1), row.group()));
        String wanted = present.replace(
                table, "| Metric | Type | Meaning |\n| --- | --- | --- |\n" + String.join("", reported.values()));
        if (Boolean.getBoolean("polytable.rewrite")) {
            Files.writeString(page, wanted);
        }
        assertThat(Files.readString(page)).isEqualTo(wanted);
    }

    private static SortedMap<String, String> rows(String scrape) {
        return METRIC.matcher(scrape)
                .results()
                .collect(Collectors.toMap(
                        metric -> metric.group(1),
                        metric -> "| `" + metric.group(1) + "` | " + metric.group(3) + " | " + metric.group(2) + " |\n",
                        (one, other) -> one,
                        TreeMap::new));
    }

    private String scrapeOfAUsedServer() throws IOException, InterruptedException {
        List<String> words = List.of(
                "--data.dir=" + directory,
                "--redis.port=0",
                "--hbase.port=0",
                "--hbase.master.port=0",
                "--zookeeper.port=0",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb",
                "--sql.memory=128mb");
        Server server = Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
        try {
            refusedRedisCommand(server.port("redis"));
            HttpClient client = HttpClient.newHttpClient();
            URI metrics = URI.create("http://127.0.0.1:" + server.httpPort() + "/metrics");
            // The first one is counted in the second.
            client.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.discarding());
            return client.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                    .body();
        } finally {
            assertThat(server.stop()).isTrue();
        }
    }

    /** An error shows the metrics of a command and of errors. */
    private static void refusedRedisCommand(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("SET a 1\r\nINCR a b\r\nLPOP a\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] replies = socket.getInputStream().readNBytes("+OK\r\n-ERR".length());
            assertThat(new String(replies, StandardCharsets.US_ASCII)).isEqualTo("+OK\r\n-ERR");
        }
    }
}

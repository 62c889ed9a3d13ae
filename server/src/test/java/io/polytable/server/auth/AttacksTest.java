package io.polytable.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.projection.RedisClient;
import io.polytable.server.run.Server;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The attacks of {@code attacks.txt} on a server with users of several roles; the head of that file says how to add one. */
@Timeout(180)
class AttacksTest {
    private static final Pattern LINE = Pattern.compile("(\\w+) (\\w+): (.*) => (.*)");
    private static final String NOBODY = "nobody";

    private static final List<String> SETUP = List.of(
            "CREATE USER ann PASSWORD 'pw-ann'",
            "CREATE USER svc ROLE service PASSWORD 'pw-svc'",
            "CREATE USER dee ROLE dba PASSWORD 'pw-dee'",
            "CREATE NAMESPACE shop",
            "CREATE TABLE shop.open (id INT PRIMARY KEY, word TEXT)",
            "INSERT INTO shop.open VALUES (1, 'open')",
            "GRANT SELECT ON shop.open TO ann",
            "CREATE TABLE shop.secret (id INT PRIMARY KEY, word TEXT)",
            "INSERT INTO shop.secret VALUES (1, 'h1dden')",
            "CREATE TABLE shop.rows (id INT PRIMARY KEY, owner TEXT, word TEXT)",
            "INSERT INTO shop.rows VALUES (1, 'ann', 'w'), (2, 'bob', 'h1dden')",
            "GRANT SELECT, INSERT, UPDATE ON shop.rows TO ann",
            "CREATE POLICY own ON shop.rows USING (owner = current_user)",
            "ALTER TABLE shop.rows ENABLE ROW LEVEL SECURITY",
            "CREATE USER TABLE shop.notes (id INT PRIMARY KEY, note TEXT)",
            "INSERT INTO shop.notes VALUES (1, 'h1dden note of root')",
            "EXECUTE AS USER 'ann' (INSERT INTO shop.notes VALUES (1, 'of ann'))",
            "EXECUTE AS USER 'dee' (INSERT INTO shop.notes VALUES (2, 'h1dden note of dee'))");

    private final Map<String, String> tokens = new HashMap<>();

    @SuppressWarnings("NullAway.Init") // by the test
    private Server server;

    @SuppressWarnings("NullAway.Init") // by the test
    private LoginClient client;

    private record Attack(String protocol, String who, String request, String expected) {
        static Attack of(String line) {
            Matcher parts = LINE.matcher(line);
            assertThat(parts.matches()).as(line).isTrue();
            return new Attack(parts.group(1), parts.group(2), parts.group(3), parts.group(4));
        }
    }

    private static List<Attack> attacks() throws IOException {
        try (InputStream table = Objects.requireNonNull(AttacksTest.class.getResourceAsStream("attacks.txt"))) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Attack::of)
                    .toList();
        }
    }

    private void setUp() throws IOException, InterruptedException {
        String root = client.login("root", "pw-root").access();
        for (String statement : SETUP) {
            assertThat(client.sql(statement, root)).as(statement).isEqualTo(200);
        }
        try (RedisClient redis = redis("default", "pw-root")) {
            for (String command : List.of(
                    "ACL SETUSER ann ~app:* +@all -@dangerous -@admin",
                    "SET secret h1dden",
                    "SET app:1 open",
                    "RPUSH app:list 1",
                    "RPUSH secret:list h1dden",
                    "SADD secret:set h1dden",
                    "XADD secret:stream * f h1dden")) {
                assertThat(redis.ask(command.split(" ", -1))).as(command).doesNotStartWith("-");
            }
        }
        for (String user : List.of("ann", "svc", "dee")) {
            tokens.put(user, client.login(user, "pw-" + user).access());
        }
    }

    private RedisClient redis(String user, String password) throws IOException {
        RedisClient redis = new RedisClient(server.port("redis"));
        if (!user.equals(NOBODY)) {
            assertThat(redis.ask("AUTH", user, password)).isEqualTo("OK");
        }
        return redis;
    }

    private String answer(Attack attack) throws IOException, InterruptedException {
        String token = tokens.getOrDefault(attack.who(), "");
        return switch (attack.protocol()) {
            case "redis" -> ofRedis(attack);
            case "sql" ->
                (token.isEmpty()
                                ? client.send("POST", "/v1/api/sql", "{\"sql\":\"SELECT 1\"}")
                                : client.statement(attack.request(), token))
                        .body();
            default -> ofHttp(attack.request().split(" ", -1), token);
        };
    }

    private String ofRedis(Attack attack) throws IOException {
        try (RedisClient redis = redis(attack.who(), "pw-" + attack.who())) {
            String answer = "";
            for (String command : attack.request().split("; ", -1)) {
                answer = redis.ask(command.split(" ", -1));
            }
            return answer.isEmpty() ? "none" : answer;
        }
    }

    private String ofHttp(String[] words, String token) throws IOException, InterruptedException {
        String body = words[0].equals("GET") ? "" : "{}";
        var response = token.isEmpty()
                ? client.send(words[0], words[1], body)
                : client.send(words[0], words[1], body, "Authorization", "Bearer " + token);
        return response.statusCode() + " " + response.body();
    }

    private static boolean isAsExpected(Attack attack, String answer) {
        return attack.expected().equals("any")
                || (attack.protocol().equals("sql")
                        ? answer.contains(attack.expected())
                        : answer.startsWith(attack.expected()));
    }

    @Test
    void nobodyGetsWhatItMayNot(@TempDir Path directory) throws Exception {
        server = Server.start(
                ServerCatalog.load(
                        List.of(
                                "--data.dir=" + directory,
                                "--redis.port=0",
                                "--redis.requirepass=pw-root",
                                "--hbase.enabled=false",
                                "--http.port=0",
                                "--memory.rows=32mb",
                                "--memory.blocks=128mb"),
                        Map.of()),
                Assembly.parts(),
                () -> {});
        client = LoginClient.of(server.httpPort());
        try {
            setUp();
            SoftAssertions all = new SoftAssertions();
            for (Attack attack : attacks()) {
                String answer = answer(attack);
                all.assertThat(isAsExpected(attack, answer))
                        .as("%s, but was %s", attack, answer)
                        .isTrue();
                all.assertThat(answer).as("%s", attack).doesNotContain("h1dden");
            }
            all.assertAll();
        } finally {
            server.stop();
        }
    }
}

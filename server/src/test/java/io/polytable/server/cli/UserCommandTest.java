package io.polytable.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.projection.RedisClient;
import io.polytable.server.run.Server;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code polytable user} beside a running server. */
@Timeout(120)
class UserCommandTest {
    @TempDir
    private Path directory = Path.of("");

    /** Runs the command with this standard input; returns its exit code and all it printed. */
    private String user(String input, String... words) {
        List<String> all = new ArrayList<>(List.of("user"));
        all.addAll(List.of(words));
        all.add("--data.dir=" + directory);
        InputStream in = System.in;
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream captured = new PrintStream(said, true, UTF_8);
        System.setIn(new ByteArrayInputStream(input.getBytes(UTF_8)));
        System.setOut(captured);
        System.setErr(captured);
        try {
            int code = PolytableCommand.run(Assembly.parts(), all.toArray(String[]::new));
            return code + " " + said.toString(UTF_8).strip();
        } finally {
            System.setIn(in);
            System.setOut(out);
            System.setErr(err);
        }
    }

    private Server serve() {
        return Server.start(
                ServerCatalog.load(
                        List.of(
                                "--data.dir=" + directory,
                                "--redis.port=0",
                                "--hbase.enabled=false",
                                "--sql.enabled=false",
                                "--http.port=0",
                                "--memory.rows=32mb",
                                "--memory.blocks=128mb"),
                        Map.of()),
                Assembly.parts(),
                () -> {});
    }

    @Test
    void usersAreManagedFromTheMachineOfTheServer() throws IOException {
        Server server = serve();
        assertThat(user("", "list")).isEqualTo("0 default (system, needs no password)");
        assertThat(user("pencil\n", "add", "ann", "--role=dba", "--email=a@b.c"))
                .isEqualTo("0 Added ann (dba, password)");
        assertThat(user("", "add", "bob", "--no-password")).isEqualTo("0 Added bob (user, no password)");
        assertThat(user("eraser\n", "passwd", "bob")).isEqualTo("0 Changed bob (user, password)");
        assertThat(user("", "role", "bob", "service")).isEqualTo("0 Changed bob (service, password)");
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            assertThat(redis.ask("AUTH", "ann", "pencil")).isEqualTo("OK");
            assertThat(user("", "lock", "ann")).isEqualTo("0 Changed ann (dba, password, locked)");
            assertThatThrownBy(() -> redis.ask("PING")).isInstanceOf(IOException.class);
        }
        try (RedisClient redis = new RedisClient(server.port("redis"))) {
            assertThat(redis.ask("AUTH", "ann", "pencil")).startsWith("-WRONGPASS");
            assertThat(user("", "unlock", "ann")).isEqualTo("0 Changed ann (dba, password)");
            assertThat(redis.ask("AUTH", "ann", "pencil")).isEqualTo("OK");
            assertThat(user("", "drop", "ann")).isEqualTo("0 Dropped ann");
            assertThatThrownBy(() -> redis.ask("PING")).isInstanceOf(IOException.class);
        }
        assertThat(user("", "list").lines())
                .containsExactly("0 bob (service, password)", "default (system, needs no password)");
        assertThat(server.stop()).isTrue();
    }

    @Test
    void theExamplesOfThePageAreTrue() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("polytable.root", ".."), "docs", "security.md"));
        String example = page.substring(page.indexOf("```console\n") + 11);
        List<String> expected = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        Server server = serve();
        for (String line : example.substring(0, example.indexOf("```")).lines().toList()) {
            if (line.startsWith("$ ./polytable user ")) {
                String[] words = line.substring("$ ./polytable user ".length()).split(" ");
                seen.addAll(
                        user("pencil\n", words).substring("0 ".length()).lines().toList());
            } else if (!line.endsWith(":")) {
                expected.add(line);
            }
        }
        assertThat(seen).isEqualTo(expected).hasSizeGreaterThan(2);
        assertThat(server.stop()).isTrue();
    }

    @Test
    void whatCannotBeDoneIsOneSentence() {
        Server server = serve();
        assertThat(user("", "lock", "ann")).isEqualTo("1 polytable: There is no user ann");
        assertThat(user("", "drop", "default")).isEqualTo("1 polytable: The 'default' user cannot be removed");
        assertThat(user("x\n", "add", "root")).isEqualTo("1 polytable: the name \"root\" is reserved");
        assertThat(user("\n", "passwd", "default")).isEqualTo("1 polytable: a password has 1 to 1024 bytes");
        assertThat(user("x".repeat(1025), "passwd", "default"))
                .isEqualTo("1 polytable: a password has 1 to 1024 bytes");
        assertThat(user("x\n", "add", "ann", "--role=king"))
                .isEqualTo("1 polytable: A role is user, service, dba or system, not king");
        assertThat(user("", "role", "default", "user"))
                .isEqualTo("1 polytable: The role of the default user cannot be changed");
        assertThat(user("x\n", "add", "default")).isEqualTo("1 polytable: There is a user default already");
        assertThat(user("", "lock")).isEqualTo("1 polytable: Missing argument: NAME");
        assertThat(user("", "list")).isEqualTo("0 default (system, needs no password)");
        assertThat(server.stop()).isTrue();
        assertThat(user("", "list"))
                .isEqualTo("1 polytable: No server runs on " + directory + "; polytable serve starts one");
    }
}

package io.polytable.conformance.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import io.polytable.conformance.resp.RespConnection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Features of 7.2 that the reference lacks; the expected bytes are written out. */
@OnSharedServers
class SevenTwoTest {
    private RespServer server;

    @BeforeAll
    void start(SharedServers servers) {
        server = servers.of(Target.POLYTABLE);
    }

    @Test
    void saysItsVersion() {
        try (RespConnection connection = server.connect()) {
            List<String> hello = connection.call("HELLO", "2").tree().items().stream()
                    .limit(6)
                    .map(item -> item.kind() == ':' ? Long.toString(item.number()) : item.text())
                    .toList();
            assertThat(hello.subList(0, 3)).containsExactly("server", "redis", "version");
            assertThat(hello.get(3)).startsWith("7.2.");
            assertThat(connection.call("INFO", "server").tree().text()).contains("redis_version:" + hello.get(3));
        }
    }

    @Test
    void knowsTheClientLibrary() {
        try (RespConnection connection = server.connect()) {
            assertThat(connection.call("CLIENT", "SETINFO", "LIB-NAME", "kit").bytes())
                    .isEqualTo("+OK\r\n");
            assertThat(connection.call("CLIENT", "SETINFO", "lib-ver", "1.2").bytes())
                    .isEqualTo("+OK\r\n");
            assertThat(connection.call("CLIENT", "INFO").tree().text()).contains(" lib-name=kit lib-ver=1.2");
            assertThat(connection.call("CLIENT", "SETINFO", "lib-name", "a b").bytes())
                    .isEqualTo("-ERR lib-name cannot contain spaces, newlines or special characters.\r\n");
            assertThat(connection.call("CLIENT", "SETINFO", "lib-ver", "a\n").bytes())
                    .isEqualTo("-ERR lib-ver cannot contain spaces, newlines or special characters.\r\n");
            assertThat(connection.call("CLIENT", "SETINFO", "nosuch", "x").bytes())
                    .isEqualTo("-ERR Unrecognized option 'nosuch'\r\n");
            assertThat(connection.call("CLIENT", "SETINFO", "lib-name").bytes())
                    .isEqualTo("-ERR wrong number of arguments for 'client|setinfo' command\r\n");
        }
    }

    @Test
    void describesAClientInTheSameFieldsAndOrder() {
        List<String> fields = List.of(
                "id",
                "addr",
                "laddr",
                "fd",
                "name",
                "age",
                "idle",
                "flags",
                "db",
                "sub",
                "psub",
                "ssub",
                "multi",
                "qbuf",
                "qbuf-free",
                "argv-mem",
                "multi-mem",
                "rbs",
                "rbp",
                "obl",
                "oll",
                "omem",
                "tot-mem",
                "events",
                "cmd",
                "user",
                "redir",
                "resp",
                "lib-name",
                "lib-ver");
        try (RespConnection connection = server.connect()) {
            String line = connection.call("CLIENT", "INFO").tree().text();
            assertThat(Stream.of(line.strip().split(" ", -1)).map(field -> field.replaceFirst("=.*", "")))
                    .containsExactlyElementsOf(fields);
            assertThat(line)
                    .contains(" db=0 ")
                    .contains(" cmd=client|info ")
                    .contains(" user=default ")
                    .contains(" resp=2 ");
        }
    }

    @Test
    void ranksWithScore() {
        try (RespConnection connection = server.connect()) {
            connection.call("ZADD", "z", "0.1", "a", "inf", "b");
            assertThat(connection.call("ZRANK", "z", "b", "WITHSCORE").bytes()).isEqualTo("*2\r\n:1\r\n$3\r\ninf\r\n");
            assertThat(connection.call("ZREVRANK", "z", "none", "withscore").bytes())
                    .isEqualTo("*-1\r\n");
            connection.call("HELLO", "3");
            assertThat(connection.call("ZRANK", "z", "a", "WITHSCORE").bytes()).isEqualTo("*2\r\n:0\r\n,0.1\r\n");
            assertThat(connection.call("ZRANK", "z", "none", "WITHSCORE").bytes())
                    .isEqualTo("_\r\n");
            assertThat(connection.call("ZRANK", "z", "a", "WITHSCORES").bytes()).isEqualTo("-ERR syntax error\r\n");
        }
    }
}

package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session;
import io.polytable.frontend.session.Session.Activity;
import io.polytable.frontend.session.Sessions;
import io.polytable.table.testkit.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections among the sessions of all protocols. */
class RegisteredSessionsTest {
    private static Session only(Sessions sessions) {
        List<Session> all = sessions.all();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void aConnectionIsASessionWithItsLastCommand() {
        try (FaceUnderTest face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP)) {
            TestClient client = face.connect();
            assertThat(client.call("config", "get", "port")).isNotEmpty();
            Session session = only(face.sessions());
            assertThat(session.protocol()).isEqualTo("redis");
            assertThat(session.principal()).isEqualTo(Principal.ROOT);
            assertThat(session.activity()).isEqualTo(new Activity("config|get", false));
            assertThat(client.call("client", "id")).isEqualTo(":" + session.id());
            assertThat(client.call("client", "list")).contains("addr=" + session.address());
            client.send("bzpopmin", "z", "0");
            FaceUnderTest.await(() -> session.activity().equals(new Activity("bzpopmin", true)));
            session.end();
            assertThat(client.isClosedByServer()).isTrue();
            FaceUnderTest.await(() -> face.sessions().count() == 0);
        }
    }

    @Test
    void whoHasNotGivenThePasswordIsAnonymous() {
        try (FaceUnderTest face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP.withPassword("secret"))) {
            TestClient client = face.connect();
            assertThat(client.call("ping")).startsWith("-NOAUTH");
            assertThat(only(face.sessions()).principal()).isEqualTo(Principal.ANONYMOUS);
            assertThat(client.call("auth", "secret")).isEqualTo("+OK");
            assertThat(only(face.sessions()).principal()).isEqualTo(Principal.ROOT);
            assertThat(client.call("reset")).isEqualTo("+RESET");
            assertThat(only(face.sessions()).principal()).isEqualTo(Principal.ANONYMOUS);
        }
    }

    @Test
    void aRefusedClientIsNoSession() {
        RedisOptions one = FaceUnderTest.ONE_LOOP.with("maxclients", "1");
        try (FaceUnderTest face = new FaceUnderTest(new MemoryStore(), one)) {
            assertThat(face.connect().call("ping")).isEqualTo("+PONG");
            assertThat(face.connect().read()).isEqualTo("-ERR max number of clients reached");
            only(face.sessions());
        }
    }
}

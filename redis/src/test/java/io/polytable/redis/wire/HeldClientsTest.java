package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that wait: for a key that RESTORE or SORT brings, or for the end of a pause. */
class HeldClientsTest {
    private final FaceUnderTest face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP);

    @AfterEach
    void stop() {
        face.close();
    }

    @Test
    void restoreServesWhoWaitsForTheKey() {
        TestClient waiter = face.connect();
        TestClient writer = face.connect();
        writer.call("RPUSH", "source", "a", "b");
        String payload = bulk(writer.call("DUMP", "source"));
        waiter.send("BLPOP", "target", "0");
        FaceUnderTest.await(() -> writer.call("INFO", "clients").contains("blocked_clients:1"));
        assertThat(writer.call("RESTORE", "target", "0", payload)).isEqualTo("+OK");
        assertThat(waiter.read()).isEqualTo("*2 $6 target $1 a");
        assertThat(writer.call("LRANGE", "target", "0", "-1")).isEqualTo("*1 $1 b");
    }

    @Test
    void sortServesWhoWaitsForTheKey() {
        TestClient waiter = face.connect();
        TestClient writer = face.connect();
        writer.call("RPUSH", "source", "2", "1");
        waiter.send("BRPOP", "target", "0");
        FaceUnderTest.await(() -> writer.call("INFO", "clients").contains("blocked_clients:1"));
        assertThat(writer.call("SORT", "source", "BY", "w_*", "STORE", "target"))
                .isEqualTo(":2");
        assertThat(waiter.read()).isEqualTo("*2 $6 target $1 2");
    }

    @Test
    void whoIsPausedCountsAsBlocked() {
        TestClient held = face.connect();
        TestClient other = face.connect();
        held.call("CLIENT", "SETNAME", "held");
        other.call("CLIENT", "PAUSE", "60000", "WRITE");
        held.send("SET", "k", "v");
        FaceUnderTest.await(() -> other.call("INFO", "clients").contains("blocked_clients:1"));
        assertThat(line(other, "held")).contains(" flags=b ", " cmd=set ");
        other.call("CLIENT", "UNPAUSE");
        assertThat(held.read()).isEqualTo("+OK");
        assertThat(other.call("INFO", "clients")).contains("blocked_clients:0");
        assertThat(line(other, "held")).contains(" flags=N ");
    }

    @Test
    void aPauseWhoseEndIsNoTimeIsRefused() {
        assertThat(face.connect().call("CLIENT", "PAUSE", Long.toString(Long.MAX_VALUE)))
                .isEqualTo("-ERR timeout is out of range");
    }

    /** A pause of everything that is over must not make a later pause of writes hold reads. */
    @Test
    void aPauseThatIsOverIsForgotten() {
        ManualClock clock = new ManualClock();
        try (FaceUnderTest clocked = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP, clock)) {
            TestClient client = clocked.connect();
            client.call("CLIENT", "PAUSE", "1", "ALL");
            clock.advanceMillis(2);
            client.call("CLIENT", "PAUSE", "60000", "WRITE");
            assertThat(client.call("GET", "k")).isEqualTo("$-1");
        }
    }

    /** The timer of a held client was set for the end that the pause had then. */
    @Test
    void anExtendedPauseEndsToo() {
        TestClient held = face.connect();
        TestClient other = face.connect();
        other.call("CLIENT", "PAUSE", "50", "WRITE");
        held.send("SET", "k", "v");
        other.call("CLIENT", "PAUSE", "300", "WRITE");
        assertThat(held.read()).isEqualTo("+OK");
    }

    private static String line(TestClient client, String name) {
        return client.call("CLIENT", "LIST")
                .lines()
                .filter(line -> line.contains(" name=" + name + " "))
                .findFirst()
                .orElseThrow();
    }

    private static String bulk(String reply) {
        return reply.substring(reply.indexOf(' ') + 1);
    }
}

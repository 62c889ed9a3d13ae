package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The setting {@code timeout}: who says nothing for so long is closed. */
class IdleClientTest {
    @Test
    void whoWasBlockedIsIdleOnlySinceItsAnswer() {
        ManualClock clock = new ManualClock();
        try (FaceUnderTest face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP, clock)) {
            TestClient silent = face.connect();
            TestClient blocked = face.connect();
            assertThat(silent.call("ping")).isEqualTo("+PONG");
            blocked.send("bzpopmin", "z", "0");
            FaceUnderTest.await(() -> face.face().clients().waiting() == 1);
            clock.advance(Duration.ofMinutes(10));
            TestClient writer = face.connect();
            assertThat(writer.call("zadd", "z", "1", "m")).isEqualTo(":1");
            assertThat(blocked.read()).isEqualTo("*3 $1 z $1 m $1 1");
            assertThat(writer.call("config", "set", "timeout", "300")).isEqualTo("+OK");
            assertThat(silent.isClosedByServer()).isTrue();
            assertThat(blocked.call("ping")).isEqualTo("+PONG");
        }
    }
}

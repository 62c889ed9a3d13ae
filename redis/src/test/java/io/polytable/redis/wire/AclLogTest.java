package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ACL LOG: failed authentications, grouped as Redis groups them. */
class AclLogTest {
    private final ManualClock clock = new ManualClock();
    private final FaceUnderTest face =
            new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP.withPassword("secret"), clock);
    private final TestClient admin = face.connect();

    @AfterEach
    void stop() {
        face.close();
    }

    @Test
    void namesWhoFailedToAuthenticate() {
        admin.call("auth", "secret");
        assertThat(admin.call("acl", "log")).isEqualTo("*0");
        TestClient stranger = face.connect();
        assertThat(stranger.call("AUTH", "eve", "guess")).startsWith("-WRONGPASS");
        clock.advance(Duration.ofMillis(1500));
        assertThat(admin.call("acl", "log"))
                .startsWith("*1 *20 $5 count :1 $6 reason $4 auth $7 context $8 toplevel $6 object $4 AUTH"
                        + " $8 username $3 eve $11 age-seconds $3 1.5 $11 client-info ")
                .contains(" cmd=auth user=default ")
                .containsPattern("\\$8 entry-id :0 \\$17 timestamp-created :\\d+ \\$22 timestamp-last-updated :\\d+$");
    }

    @Test
    void equalFailuresOfAMinuteAreOneEntry() {
        admin.call("auth", "guess");
        admin.call("auth", "guess");
        admin.call("auth", "other", "guess");
        admin.call("auth", "secret");
        assertThat(admin.call("acl", "log")).startsWith("*2 *20 $5 count :1 ").contains(" *20 $5 count :2 ");
        clock.advance(Duration.ofMinutes(2));
        admin.call("auth", "guess");
        assertThat(admin.call("acl", "log", "100")).startsWith("*3 ");
        assertThat(admin.call("acl", "log", "1")).startsWith("*1 ");
        assertThat(admin.call("acl", "log", "-1")).isEqualTo("*0");
        assertThat(admin.call("acl", "log", "reset")).isEqualTo("+OK");
        assertThat(admin.call("acl", "log")).isEqualTo("*0");
        assertThat(admin.call("acl", "log", "x")).isEqualTo("-ERR value is not an integer or out of range");
    }

    @Test
    void keepsAsManyEntriesAsConfigured() {
        admin.call("auth", "secret");
        admin.call("config", "set", "acllog-max-len", "2");
        for (int i = 0; i < 5; i++) {
            admin.call("auth", "user" + i, "guess");
        }
        assertThat(admin.call("acl", "log"))
                .startsWith("*2 ")
                .contains("user4", "user3")
                .doesNotContain("user2");
    }
}

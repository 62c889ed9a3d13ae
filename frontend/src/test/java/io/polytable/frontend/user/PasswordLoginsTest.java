package io.polytable.frontend.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.session.ClientAddress;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.PasswordLogins.Result;
import io.polytable.table.testkit.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class PasswordLoginsTest {
    private static final String HERE = "127.0.0.1:5000";
    private static final String THERE = "192.0.2.7:5000";

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource clock = () -> now;
    private Users users = users(LoopbackTrust.AUTO);

    private Users users(LoopbackTrust rule) {
        return Users.open(new MemoryStore(), new Sessions(), clock, rule, AuditLog.Limits.DEFAULT);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Result login(String name, String password, String address) {
        return users.logins().login(name, bytes(password), "test", address);
    }

    private void add(String name) {
        users.change(name, user -> user.withEnabled(true).withSecrets(List.of(Secret.Sha256.of(bytes("pw"))), false));
    }

    @Test
    void whoKeepsFailingWaitsLongerEachTime() {
        add("ann");
        for (int i = 0; i < PasswordLogins.USER_FAILURES_FREE; i++) {
            assertThat(login("ann", "guess", HERE)).isEqualTo(new Result.Refused());
        }
        assertThat(login("ann", "pw", HERE)).isEqualTo(new Result.TooMany(Duration.ofSeconds(1)));
        assertThat(login("ann", "pw", THERE)).as("elsewhere").isInstanceOf(Result.Accepted.class);
        now = now.plusSeconds(1);
        assertThat(login("ann", "guess", HERE)).isEqualTo(new Result.Refused());
        assertThat(login("ann", "pw", HERE)).isEqualTo(new Result.TooMany(Duration.ofSeconds(2)));
        for (int i = 0; i < 20; i++) {
            now = now.plus(Duration.ofMinutes(5));
            assertThat(login("ann", "guess", HERE)).isEqualTo(new Result.Refused());
        }
        assertThat(login("ann", "pw", HERE)).isEqualTo(new Result.TooMany(Duration.ofMinutes(5)));
        now = now.plus(Duration.ofMinutes(5));
        assertThat(login("ann", "pw", HERE)).isInstanceOf(Result.Accepted.class);
        assertThat(login("ann", "guess", HERE)).as("a login forgets").isEqualTo(new Result.Refused());
        assertThat(login("ann", "pw", HERE)).isInstanceOf(Result.Accepted.class);
    }

    @Test
    void whoGaveAPasswordIsNobodyOnceItHasChanged() {
        add("ann");
        User proved = users.find("ann").orElseThrow();
        assertThat(users.isStill(proved)).isTrue();
        users.change("ann", user -> user.withPassword(bytes("other")));
        assertThat(users.isStill(proved)).isFalse();
        User changed = users.find("ann").orElseThrow();
        users.change("ann", user -> user.withEnabled(false));
        assertThat(users.isStill(changed)).as("locked").isFalse();
    }

    @Test
    void oneClientCannotTryManyUsers() {
        add("ann");
        for (int i = 0; i < PasswordLogins.CLIENT_FAILURES_FREE; i++) {
            assertThat(login("user-" + i, "guess", "[2001:db8::" + i + "]:1")).isEqualTo(new Result.Refused());
        }
        assertThat(login("ann", "pw", "[2001:db8::ffff]:1"))
                .as("an address of the same network")
                .isEqualTo(new Result.TooMany(Duration.ofSeconds(1)));
        assertThat(login("ann", "pw", "[2001:db8:1::1]:1")).isInstanceOf(Result.Accepted.class);
    }

    @Test
    void manyClientsAreForgottenOldestFirst() {
        add("ann");
        for (int i = 0; i < PasswordLogins.USER_FAILURES_FREE; i++) {
            login("ann", "guess", HERE);
        }
        for (int i = 0; i < PasswordLogins.REMEMBERED_MAX; i++) {
            login("ann", "guess", "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255) + ":1");
        }
        assertThat(login("ann", "pw", HERE)).isInstanceOf(Result.Accepted.class);
    }

    @Test
    void thisMachineIsTrustedUntilAUserHasAPassword() {
        ClientAddress here = ClientAddress.of(HERE);
        ClientAddress there = ClientAddress.of(THERE);
        assertThat(users.isPasswordRequired(here)).isFalse();
        assertThat(users.isPasswordRequired(there)).isTrue();
        assertThat(users.isPasswordRequired(ClientAddress.of("?:0"))).isTrue();
        assertThat(login("default", "any", HERE)).isInstanceOf(Result.Accepted.class);
        assertThat(login("default", "any", THERE)).isEqualTo(new Result.Refused());
        add("ann");
        assertThat(users.isPasswordRequired(here)).isTrue();
        assertThat(login("default", "any", HERE)).isEqualTo(new Result.Refused());
        assertThat(login("ann", "pw", THERE)).isInstanceOf(Result.Accepted.class);
        users.remove(Actor.SERVER, List.of("ann"), session -> false);
        assertThat(users.isPasswordRequired(here)).isFalse();
    }

    @Test
    void theRuleForThisMachineCanBeFixed() {
        users = users(LoopbackTrust.TRUST);
        add("ann");
        assertThat(users.isPasswordRequired(ClientAddress.of("[::1]:1"))).isFalse();
        assertThat(users.isPasswordRequired(ClientAddress.of(THERE))).isTrue();
        users = users(LoopbackTrust.PASSWORD);
        assertThat(users.isPasswordRequired(ClientAddress.of(HERE))).isTrue();
        assertThat(login("default", "", HERE)).isEqualTo(new Result.Refused());
    }
}

package io.polytable.frontend.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.AuditEntry.Event;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuditLogTest {
    private static final Actor ROOT = new Actor("root", "sql", "127.0.0.1:1");

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource clock = () -> now;
    private final MemoryStore store = new MemoryStore();
    private Users users = users(AuditLog.Limits.DEFAULT);

    private Users users(AuditLog.Limits limits) {
        return Users.open(store, new Sessions(), clock, LoopbackTrust.AUTO, limits);
    }

    private List<String> entries() {
        return users.audit().all().stream()
                .map(entry -> entry.actor().name() + " " + entry.event() + " " + entry.object()
                        + (entry.isDone() ? " " : " refused ") + entry.detail())
                .map(String::strip)
                .toList();
    }

    @Test
    void recordsWhoDidWhatToWhomWithoutSecrets() {
        users.change(
                ROOT, "ann", user -> user.withEnabled(true).withPassword("pencil".getBytes(StandardCharsets.UTF_8)));
        users.change(ROOT, "ann", user -> user.withRole(Role.DBA).withEmail("a@b.c"));
        users.change(ROOT, "ann", user -> user);
        users.grants().grant(ROOT, List.of("ann"), new Scope.OfNamespace("shop"), Set.of(Privilege.SELECT));
        users.grants().revoke(ROOT, List.of("ann"), new Scope.OfNamespace("shop"), Set.of(Privilege.SELECT));
        users.lock(ROOT, "ann");
        login("ann", "pencil");
        login("hunter2", "guess");
        users.change(ROOT, "ann", user -> user.withEnabled(true));
        login("ann", "guess");
        login("ann", "pencil");
        users.remove(ROOT, List.of("ann"), session -> false);
        assertThat(entries())
                .containsExactly(
                        "root user_added ann role user, unlocked, password",
                        "root user_changed ann role dba, e-mail",
                        "root grant ann SELECT on namespace shop",
                        "root revoke ann SELECT on namespace shop",
                        "root user_changed ann locked",
                        "login ann refused locked",
                        "login  refused unknown user",
                        "root user_changed ann unlocked",
                        "login ann refused wrong password",
                        "ann login ann",
                        "root user_removed ann");
        assertThat(users.audit().all().toString()).doesNotContain("pencil", "guess", "hunter2", "scram");
        List<String> before = entries();
        users = users(AuditLog.Limits.DEFAULT);
        users.audit().record(ROOT, Event.EXECUTE_AS, "bob", true, "x".repeat(1000));
        assertThat(entries()).startsWith(before.toArray(String[]::new)).hasSize(before.size() + 1);
        assertThat(users.audit().all().get(before.size()).detail()).hasSizeLessThan(300);
    }

    private void login(String name, String password) {
        PasswordLogins.Result unusedResult =
                users.logins().login(name, password.getBytes(StandardCharsets.UTF_8), "redis", "127.0.0.1:2");
    }

    @Test
    void thePageShowsTheBytesOfARow() throws IOException {
        AuditEntry entry = new AuditEntry(
                Instant.ofEpochSecond(1_700_000_000), ROOT, "user_changed", "ann", true, "role dba, password");
        String page =
                Files.readString(Path.of(System.getProperty("polytable.root", ".."), "docs", "formats", "users.md"));
        String dump = page.substring(page.indexOf("<!-- dump: audit -->\n```\n") + 25);
        assertThat(HexFormat.of()
                        .formatHex(AuditLog.value(AuditLog.row(7, entry)).toByteArray()))
                .isEqualTo(dump.substring(0, dump.indexOf("```")).replaceAll("\\s", ""));
    }

    @Test
    void isBoundedByCountAndAge() {
        users = users(new AuditLog.Limits(10, Duration.ofDays(1)));
        for (int i = 0; i < 25; i++) {
            users.audit().record(ROOT, Event.EXECUTE_AS, "user-" + i, true, "");
        }
        assertThat(entries()).hasSize(10).last().isEqualTo("root execute_as user-24");
        users = users(new AuditLog.Limits(5, Duration.ofDays(1)));
        users.audit().record(ROOT, Event.EXECUTE_AS, "user-25", true, "");
        users.audit().record(ROOT, Event.EXECUTE_AS, "user-26", true, "");
        assertThat(entries()).as("a lowered limit").hasSize(5);
        now = now.plus(Duration.ofDays(1)).plusSeconds(1);
        users.audit().record(ROOT, Event.EXECUTE_AS, "user-27", true, "");
        users.audit().record(ROOT, Event.EXECUTE_AS, "user-28", true, "");
        assertThat(entries()).containsExactly("root execute_as user-27", "root execute_as user-28");
    }
}

package io.polytable.frontend.user;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.session.ClientAddress;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.session.Session;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users.RefusedChange;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UsersTest {
    private static final ClientAddress LOCAL = ClientAddress.of("127.0.0.1:1");

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore();
    private final Sessions sessions = new Sessions(clock);
    private final Users users = Users.open(store, sessions, clock);

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private Session session(User user, AtomicInteger closed) {
        Session.Client client = new Session.Client() {
            @Override
            public Session.Activity activity() {
                return Session.Activity.NONE;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        return sessions.open("test", "a:1", user.principal(), client).orElseThrow();
    }

    @Test
    void aNewStoreLetsEveryoneIn() {
        assertThat(users.isPasswordRequired(LOCAL)).isFalse();
        assertThat(users.all()).containsExactly(users.defaultUser());
        assertThat(users.defaultUser().accepts(bytes("anything"))).isTrue();
        assertThat(users.defaultUser().principal()).isEqualTo(Principal.ROOT);
    }

    @Test
    void usersAreKeptInTheStore() {
        users.change(
                "ann",
                user -> user.withEnabled(true)
                        .withRole(Role.DBA)
                        .withSecrets(List.of(Secret.Scram.of(bytes("pw")), Secret.Sha256.of(bytes("x"))), false)
                        .withRules("+@all"));
        Instant created = users.find("ann").orElseThrow().created();
        clock.advance(Duration.ofHours(1));
        users.setDefaultPassword(bytes("secret"));
        users.change("ann", user -> user.withRules("-@all"));
        Users again = Users.open(store, new Sessions(clock), clock);
        assertThat(again.all()).isEqualTo(users.all());
        User ann = again.find("ann").orElseThrow();
        assertThat(ann.created()).isEqualTo(created);
        assertThat(ann.changed()).isEqualTo(clock.instant());
        assertThat(ann.accepts(bytes("pw"))).isTrue();
        assertThat(ann.accepts(bytes("x"))).isTrue();
        assertThat(ann.accepts(bytes("y"))).isFalse();
        assertThat(again.isPasswordRequired(LOCAL)).isTrue();
    }

    @Test
    void disabledUsersAcceptNoPassword() {
        User user = users.change("ann", each -> each.withSecrets(List.of(), true));
        assertThat(user.accepts(bytes(""))).isFalse();
        assertThat(user.withEnabled(true).accepts(bytes(""))).isTrue();
    }

    @Test
    void sessionsFollowTheirUser() {
        AtomicInteger closed = new AtomicInteger();
        User ann = users.change("ann", user -> user.withEnabled(true));
        Session first = session(ann, closed);
        Session spared = session(ann, closed);
        users.change("ann", user -> user.withRole(Role.SERVICE));
        assertThat(first.principal()).isEqualTo(new Principal("ann", Role.SERVICE));
        assertThat(users.remove(Actor.SERVER, List.of("ann", "ann", "bob"), each -> each == spared))
                .isEqualTo(1);
        assertThat(closed).hasValue(1);
        assertThat(users.find("ann")).isEmpty();
    }

    @Test
    void theDefaultUserStays() {
        users.change("ann", user -> user);
        assertThatThrownBy(() -> users.remove(Actor.SERVER, List.of("ann", User.DEFAULT), session -> false))
                .isInstanceOf(RefusedChange.class);
        assertThat(users.find("ann")).isPresent();
        users.setDefaultPassword(bytes("x"));
        users.replaceAll(Actor.SERVER, List.of(), session -> false);
        assertThat(users.all()).extracting(User::name).containsExactly(User.DEFAULT);
        assertThat(users.isPasswordRequired(LOCAL)).isFalse();
    }

    @Test
    void listenersSeeEachChange() {
        List<String> seen = new ArrayList<>();
        users.onChange((name, before, now) -> seen.add(name + " " + now.map(User::role)));
        users.change("ann", user -> user);
        users.change("ann", user -> user.withRole(Role.DBA));
        users.remove(Actor.SERVER, List.of("ann"), session -> false);
        users.setDefaultPassword(bytes(""));
        assertThat(seen)
                .containsExactly(
                        "ann " + Optional.of(Role.USER), "ann " + Optional.of(Role.DBA), "ann " + Optional.empty());
    }

    @Test
    void aChangeThatFailsChangesNothing() {
        assertThatThrownBy(() -> users.change("ann", user -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> users.change("x".repeat(Users.NAME_LENGTH_MAX + 1), user -> user))
                .isInstanceOf(RefusedChange.class);
        assertThat(users.all()).hasSize(1);
    }

    @Test
    void thePageShowsTheBytesOfARow() throws Exception {
        User ann = new User(
                "ann",
                Role.DBA,
                true,
                false,
                List.of(Secret.Scram.of(bytes("pencil"), bytes("salt"), 4096), Secret.Sha256.of(bytes("pw"))),
                Optional.of("sanitize-payload ~a* resetchannels -@all +get"),
                "a@b.c",
                Instant.ofEpochSecond(1_700_000_000),
                Instant.ofEpochSecond(1_700_000_001));
        byte[] row = UserRows.value(ann).toByteArray();
        String page =
                Files.readString(Path.of(System.getProperty("polytable.root", ".."), "docs", "formats", "users.md"));
        String dump = page.substring(page.indexOf("<!-- dump: row -->\n```\n") + 23);
        String hex = dump.substring(0, dump.indexOf("```")).replaceAll("\\s", "");
        assertThat(HexFormat.of().formatHex(row)).isEqualTo(hex);
        assertThat(UserRows.decode(UserRows.key("ann").bytes(), UserRows.value(ann)))
                .isEqualTo(ann);
    }
}

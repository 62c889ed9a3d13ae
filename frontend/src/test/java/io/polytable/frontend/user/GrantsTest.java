package io.polytable.frontend.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.session.Sessions;
import io.polytable.table.TableName;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.MemoryStore;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GrantsTest {
    private static final Actor ROOT = new Actor("root", "sql", "127.0.0.1:1");

    private static final TableName ORDERS = new TableName("shop", "orders");
    private static final TableName OTHER = new TableName("shop", "other");

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore();
    private final Users users = Users.open(store, new Sessions(clock), clock);
    private final Grants grants = users.grants();
    private final Principal ann = new Principal("ann", Role.USER);

    @BeforeEach
    void addUsers() {
        users.change("ann", user -> user.withEnabled(true));
        users.change("bob", user -> user.withEnabled(true));
    }

    private boolean mayRead(TableName table) {
        return grants.allows(ann, Privilege.SELECT, table);
    }

    @Test
    void withoutAGrantAUserMayDoNothing() {
        assertThat(mayRead(ORDERS)).isFalse();
        assertThat(grants.allowsAny(ann, ORDERS)).isFalse();
        assertThat(grants.allows(Principal.ANONYMOUS, Privilege.SELECT, ORDERS)).isFalse();
        assertThat(grants.allows(Principal.ROOT, Privilege.DELETE, ORDERS)).isTrue();
        assertThat(grants.allows(new Principal("d", Role.DBA), Privilege.DELETE, ORDERS))
                .isTrue();
        assertThat(grants.allows(new Principal("s", Role.SERVICE), Privilege.SELECT, ORDERS))
                .isFalse();
    }

    @Test
    void aGrantIsForItsScopeAndPrivilege() {
        grants.grant(ROOT, List.of("ann"), new Scope.OfTable(ORDERS), Set.of(Privilege.SELECT));
        assertThat(mayRead(ORDERS)).isTrue();
        assertThat(mayRead(OTHER)).isFalse();
        assertThat(grants.allows(ann, Privilege.INSERT, ORDERS)).isFalse();
        assertThat(grants.allows(new Principal("bob", Role.USER), Privilege.SELECT, ORDERS))
                .isFalse();
    }

    @Test
    void aNamespaceAndEverythingContainTheirTables() {
        grants.grant(ROOT, List.of("ann"), new Scope.OfNamespace("shop"), Set.of(Privilege.SELECT));
        assertThat(mayRead(OTHER)).isTrue();
        assertThat(mayRead(new TableName("hr", "pay"))).isFalse();
        grants.grant(ROOT, List.of("ann"), new Scope.Everything(), Set.of(Privilege.SELECT));
        assertThat(mayRead(new TableName("hr", "pay"))).isTrue();
        assertThat(mayRead(new TableName(TableName.SYSTEM_NAMESPACE, "users"))).isFalse();
        assertThat(grants.allows(ann, Privilege.SELECT, new Scope.OfNamespace("hr")))
                .isTrue();
        assertThat(grants.allows(ann, Privilege.CREATE, new Scope.Everything())).isFalse();
    }

    @Test
    void publicIsEveryUser() {
        grants.grant(ROOT, List.of(Grant.PUBLIC), new Scope.OfTable(ORDERS), Set.of(Privilege.SELECT));
        assertThat(mayRead(ORDERS)).isTrue();
        assertThat(grants.allows(Principal.ANONYMOUS, Privilege.SELECT, ORDERS)).isFalse();
        assertThatThrownBy(() -> users.change("public", user -> user)).isInstanceOf(Users.RefusedChange.class);
    }

    @Test
    void aRevocationTakesEffectAtOnce() {
        Scope scope = new Scope.OfTable(ORDERS);
        grants.grant(ROOT, List.of("ann"), scope, Set.of(Privilege.SELECT, Privilege.INSERT));
        long before = grants.version();
        grants.revoke(ROOT, List.of("ann"), scope, Set.of(Privilege.SELECT));
        assertThat(mayRead(ORDERS)).isFalse();
        assertThat(grants.allows(ann, Privilege.INSERT, ORDERS)).isTrue();
        assertThat(grants.version()).isNotEqualTo(before);
    }

    @Test
    void grantsAreKeptInTheStore() {
        grants.grant(ROOT, List.of("ann", "bob"), new Scope.OfTable(ORDERS), Set.of(Privilege.SELECT));
        grants.grant(ROOT, List.of("ann"), new Scope.OfNamespace("hr"), Set.of(Privilege.CREATE, Privilege.ADMIN));
        grants.grant(ROOT, List.of("ann"), new Scope.Everything(), Set.of(Privilege.DELETE));
        grants.revoke(ROOT, List.of("bob"), new Scope.OfTable(ORDERS), Set.of(Privilege.SELECT));
        Users again = Users.open(store, new Sessions(clock), clock);
        assertThat(again.grants().all()).hasSize(3).containsExactlyInAnyOrderElementsOf(grants.all());
    }

    @Test
    void aUserOfTheSameNameDoesNotInheritGrants() {
        grants.grant(ROOT, List.of("ann"), new Scope.OfTable(ORDERS), Set.of(Privilege.SELECT));
        users.remove(Actor.SERVER, List.of("ann"), session -> false);
        users.change("ann", user -> user.withEnabled(true));
        assertThat(mayRead(ORDERS)).isFalse();
        assertThat(Users.open(store, new Sessions(clock), clock).grants().all()).isEmpty();
    }

    @Test
    void aTableThatIsDroppedTakesItsGrantsAlong() {
        grants.grant(ROOT, List.of("ann"), new Scope.OfTable(ORDERS), Set.of(Privilege.SELECT));
        grants.forget(new Scope.OfTable(ORDERS)::equals);
        assertThat(mayRead(ORDERS)).isFalse();
    }

    @Test
    void onlyUsersThatExistAreGrantedAnything() {
        assertThatThrownBy(() -> grants.grant(
                        ROOT, List.of("ann", "nobody"), new Scope.OfTable(ORDERS), Set.of(Privilege.SELECT)))
                .isInstanceOf(Users.RefusedChange.class)
                .hasMessage("role \"nobody\" does not exist");
        assertThat(mayRead(ORDERS)).isFalse();
    }
}

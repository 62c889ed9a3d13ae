package io.polytable.frontend.user;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.user.AuditEntry.Event;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What users may do with tables, over a system table. {@link #allows} is the only decision about it in all protocols. Roles
 * {@code dba} and {@code system} need no grants. Reads take no lock and see the latest change, so a change applies to the
 * next call of every open session; it is durable when {@link TableStore#latest()} is. Thread safe.
 */
public final class Grants {
    /** More are refused: every change copies them. */
    public static final int GRANTS_MAX = 200_000;

    private final TableStore store;
    private final Predicate<String> isUser;
    private final InstantSource clock;
    private final GrantRows rows;
    private final AuditLog audit;
    private volatile Map<String, Map<Scope, Grant>> byGrantee;
    private final AtomicLong version = new AtomicLong();

    Grants(TableStore store, Predicate<String> isUser, InstantSource clock, AuditLog audit) {
        this.audit = audit;
        this.store = store;
        this.isUser = isUser;
        this.clock = clock;
        rows = new GrantRows(store);
        Map<String, Map<Scope, Grant>> stored = new HashMap<>();
        rows.all().forEach(grant -> put(stored, grant));
        byGrantee = stored;
    }

    /** Whether the principal may do this with the table. */
    public boolean allows(Principal principal, Privilege privilege, TableName table) {
        if (principal.isAnonymous()) {
            return false;
        }
        if (needsNoGrants(principal)) {
            return true;
        }
        return has(principal.name(), privilege, table) || has(Grant.PUBLIC, privilege, table);
    }

    /** Whether the principal may do anything at all with the table, and so may know that it exists. */
    public boolean allowsAny(Principal principal, TableName table) {
        for (Privilege privilege : Privilege.values()) {
            if (allows(principal, privilege, table)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the principal has the privilege in the whole scope, as for a call that names no table. */
    public boolean allows(Principal principal, Privilege privilege, Scope scope) {
        if (principal.isAnonymous()) {
            return false;
        }
        if (needsNoGrants(principal)) {
            return true;
        }
        if (scope instanceof Scope.OfTable one) {
            return allows(principal, privilege, one.table());
        }
        return hasIn(principal.name(), privilege, scope)
                || hasIn(principal.name(), privilege, new Scope.Everything())
                || hasIn(Grant.PUBLIC, privilege, scope)
                || hasIn(Grant.PUBLIC, privilege, new Scope.Everything());
    }

    /** Whether the principal's role allows everything. */
    public static boolean needsNoGrants(Principal principal) {
        return principal.role() == Role.DBA || principal.role() == Role.SYSTEM;
    }

    private boolean has(String grantee, Privilege privilege, TableName table) {
        Map<Scope, Grant> granted = byGrantee.get(grantee);
        if (granted == null) {
            return false;
        }
        return isIn(granted, privilege, new Scope.OfTable(table))
                || isIn(granted, privilege, new Scope.OfNamespace(table.namespace()))
                || (new Scope.Everything().contains(table) && isIn(granted, privilege, new Scope.Everything()));
    }

    private boolean hasIn(String grantee, Privilege privilege, Scope scope) {
        Map<Scope, Grant> granted = byGrantee.get(grantee);
        return granted != null && isIn(granted, privilege, scope);
    }

    private static boolean isIn(Map<Scope, Grant> granted, Privilege privilege, Scope scope) {
        Grant grant = granted.get(scope);
        return grant != null && grant.privileges().contains(privilege);
    }

    /** All grants, of everyone. */
    public List<Grant> all() {
        return byGrantee.values().stream()
                .map(Map::values)
                .flatMap(Collection::stream)
                .toList();
    }

    /** The grants of one user, without those of {@link Grant#PUBLIC}. */
    public List<Grant> of(String grantee) {
        return List.copyOf(byGrantee.getOrDefault(grantee, Map.of()).values());
    }

    /** Changes with every grant and revocation: what was computed under another version may be wrong. */
    public long version() {
        return version.get();
    }

    /**
     * Adds privileges to what the users have in the scope.
     *
     * @param by who grants; the caller has checked that it may
     * @throws Users.RefusedChange when one of the users does not exist, or when there would be too many grants
     */
    public synchronized void grant(Actor by, List<String> grantees, Scope scope, Set<Privilege> privileges) {
        String grantor = by.name();
        if (privileges.isEmpty()) {
            return;
        }
        List<Grant> changed = new ArrayList<>();
        for (String grantee : grantees) {
            requireUser(grantee);
            Grant none = new Grant(grantee, scope, Set.of(), grantor, clock.instant());
            changed.add(find(grantee, scope)
                    .orElse(none)
                    .with(privileges, grantor, clock.instant().truncatedTo(ChronoUnit.MICROS)));
        }
        if (all().size() + changed.size() > GRANTS_MAX) {
            throw new Users.RefusedChange("there are " + GRANTS_MAX + " grants already");
        }
        commit(changed, batch -> audit(batch, by, Event.GRANT, changed, privileges));
    }

    /**
     * Removes privileges from exactly this scope; wider grants stay.
     *
     * @throws Users.RefusedChange when one of the users does not exist
     */
    public synchronized void revoke(Actor by, List<String> grantees, Scope scope, Set<Privilege> privileges) {
        List<Grant> changed = new ArrayList<>();
        for (String grantee : grantees) {
            requireUser(grantee);
            find(grantee, scope).map(grant -> grant.without(privileges)).ifPresent(changed::add);
        }
        commit(changed, batch -> audit(batch, by, Event.REVOKE, changed, privileges));
    }

    private void audit(Batch batch, Actor by, Event event, List<Grant> changed, Set<Privilege> privileges) {
        String named = privileges.stream().sorted().map(Privilege::name).collect(Collectors.joining(", "));
        for (Grant grant : changed) {
            audit.add(
                    batch,
                    by,
                    event,
                    grant.grantee(),
                    true,
                    named + " on " + grant.scope().text());
        }
    }

    /** Removes what was granted on a table or namespace that is dropped: a later one of that name is another. */
    public synchronized void forget(Predicate<Scope> dropped) {
        commit(all().stream()
                .filter(grant -> dropped.test(grant.scope()))
                .map(grant -> grant.without(Set.of(Privilege.values())))
                .toList());
    }

    /** Removes the grants of users, who are being removed. */
    synchronized void removeAll(List<String> grantees) {
        commit(grantees.stream()
                .flatMap(grantee -> of(grantee).stream())
                .map(grant -> grant.without(Set.of(Privilege.values())))
                .toList());
    }

    private Optional<Grant> find(String grantee, Scope scope) {
        return Optional.ofNullable(byGrantee.getOrDefault(grantee, Map.of()).get(scope));
    }

    private void requireUser(String grantee) {
        if (!grantee.equals(Grant.PUBLIC) && !isUser.test(grantee)) {
            throw new Users.RefusedChange("role \"" + grantee + "\" does not exist");
        }
    }

    private void commit(List<Grant> changed) {
        commit(changed, batch -> {});
    }

    /** @param more adds to the same commit */
    private void commit(List<Grant> changed, Consumer<Batch> more) {
        if (changed.isEmpty()) {
            return;
        }
        Batch batch = new Batch();
        Map<String, Map<Scope, Grant>> next = new HashMap<>(byGrantee);
        for (Grant grant : changed) {
            // Readers hold the maps of before.
            next.computeIfPresent(grant.grantee(), (grantee, grants) -> new HashMap<>(grants));
            rows.put(batch, grant);
            put(next, grant);
        }
        more.accept(batch);
        store.commit(batch);
        byGrantee = next;
        version.incrementAndGet();
    }

    private static void put(Map<String, Map<Scope, Grant>> into, Grant grant) {
        Map<Scope, Grant> grants = into.computeIfAbsent(grant.grantee(), first -> new HashMap<>());
        if (grant.privileges().isEmpty()) {
            grants.remove(grant.scope());
        } else {
            grants.put(grant.scope(), grant);
        }
        if (grants.isEmpty()) {
            into.remove(grant.grantee());
        }
    }
}

package io.polytable.entity.permit;

import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.LayoutBoard;
import io.polytable.entity.store.StoreCapability;
import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.store.StoredTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A store for one user: checks each call against the permissions of the instance. For stores without users of their
 * own; the program that opens it vouches for the user's name.
 */
public record GuardedStore(EntityStore store, String user) implements EntityStore {
    public GuardedStore {
        Permissions.user(user);
    }

    @Override
    public Set<StoreCapability> capabilities() {
        return store.capabilities();
    }

    @Override
    public List<String> instances() {
        return store.instances().stream()
                .filter(name -> new Permissions(store.instance(name)).isKnown(user))
                .toList();
    }

    @Override
    public void createInstance(String name, Map<String, String> properties) {
        throw new EntityException(
                EntityError.DENIED, "Only who runs the store makes instances", Map.of("user", user, "instance", name));
    }

    @Override
    public void dropInstance(String name) {
        InstanceStore instance = store.instance(name);
        new Guard(new Permissions(instance), user).require(Permission.GRANT, Optional.empty());
        store.dropInstance(name);
    }

    @Override
    public InstanceStore instance(String name) {
        InstanceStore instance = store.instance(name);
        return new GuardedInstance(instance, new Guard(new Permissions(instance), user));
    }

    @Override
    public void close() {
        store.close();
    }

    private record GuardedInstance(InstanceStore instance, Guard guard) implements InstanceStore {
        @Override
        public StoreRecords records() {
            return new GuardedRecords(instance.records(), guard);
        }

        @Override
        public LayoutBoard layouts() {
            return instance.layouts();
        }

        @Override
        public void check(TableLayout layout) {
            instance.check(layout);
        }

        /** A new table needs the permission for the instance, a new layout that for the table. */
        @Override
        public void prepare(TableLayout layout) {
            boolean exists = instance.records().get("table/" + layout.name()).isPresent();
            guard.require(Permission.WRITE, exists ? Optional.of(layout.name()) : Optional.empty());
            instance.prepare(layout);
        }

        @Override
        public void trim(TableLayout layout) {
            guard.require(Permission.WRITE, Optional.of(layout.name()));
            instance.trim(layout);
        }

        @Override
        public void drop(TableLayout layout) {
            guard.require(Permission.WRITE, Optional.of(layout.name()));
            instance.drop(layout);
        }

        /** Unchecked: it is part of a drop, which was checked, and also removes the user's own permission. */
        @Override
        public void forget(String table) {
            instance.forget(table);
        }

        @Override
        public StoredTable table(TableLayout layout) {
            return new GuardedTable(instance.table(layout), guard, layout.name());
        }

        @Override
        public void permit(String grantee, Optional<String> table, Set<Permission> permissions) {
            guard.require(Permission.GRANT, table);
            instance.permit(grantee, table, permissions);
        }
    }
}

package io.polytable.entity.permit;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import io.polytable.entity.store.InstanceStore;
import io.polytable.table.Bytes;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The permissions in an instance. A permission for the instance applies to all of its tables, including later ones.
 * Records are {@code grant/i/USER} and {@code grant/t/TABLE/USER}, with the permissions separated by commas.
 */
public final class Permissions {
    public static final String PREFIX = "grant/";

    private static final Pattern USER = Pattern.compile("[a-zA-Z0-9_.@-]{1,100}");
    private static final int ATTEMPTS_MAX = 20;

    private final InstanceStore store;

    public Permissions(InstanceStore store) {
        this.store = store;
    }

    /** Adds permissions for a table or, without one, for the instance. */
    public void grant(String user, Optional<String> table, Set<Permission> permissions) {
        change(user, table, present -> {
            Set<Permission> more = EnumSet.copyOf(present);
            more.addAll(permissions);
            return more;
        });
    }

    /** Revokes permissions; those for the instance still apply to its tables. */
    public void revoke(String user, Optional<String> table, Set<Permission> permissions) {
        change(user, table, present -> {
            Set<Permission> fewer = EnumSet.copyOf(present);
            fewer.removeAll(permissions);
            return fewer;
        });
    }

    private void change(String user, Optional<String> table, UnaryOperator<Set<Permission>> edit) {
        String key = key(user(user), table);
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Optional<Bytes> record = store.records().get(key);
            Set<Permission> before = record.map(Permissions::parse).orElse(EnumSet.noneOf(Permission.class));
            Set<Permission> after = edit.apply(before);
            // The store first: if it refuses, the record does not state a permission that does not exist.
            store.permit(user, table, after);
            // An empty record stays: its removal could not be ordered with a concurrent change.
            if (store.records().replace(key, record, Bytes.utf8(text(after)))) {
                return;
            }
        }
        throw new EntityException(
                EntityError.STORE_FAILED,
                "Too many changes of the same permissions at the same time",
                Map.of("user", user));
    }

    /** The user's permissions for the table, directly or through the instance; without a table, for the instance. */
    public Set<Permission> of(String user, Optional<String> table) {
        Set<Permission> all = EnumSet.noneOf(Permission.class);
        store.records().get(key(user, Optional.empty())).map(Permissions::parse).ifPresent(all::addAll);
        if (table.isPresent()) {
            store.records().get(key(user, table)).map(Permissions::parse).ifPresent(all::addAll);
        }
        return all;
    }

    /** The users who have permissions for the table itself or, without one, for the instance itself. */
    public NavigableMap<String, Set<Permission>> users(Optional<String> table) {
        String prefix = key("", table);
        NavigableMap<String, Set<Permission>> users = new TreeMap<>();
        store.records().withPrefix(prefix).forEach((key, record) -> {
            Set<Permission> permissions = parse(record);
            if (!permissions.isEmpty()) {
                users.put(key.substring(prefix.length()), permissions);
            }
        });
        return users;
    }

    /** Grants a table's own permissions in the store again, since the table got new parts. */
    public void reapply(Optional<String> table) {
        users(table).forEach((user, permissions) -> store.permit(user, table, permissions));
    }

    /** Applies restored records to the store, also for users without permissions: they may have had some. */
    public void restored(Collection<String> keys) {
        for (String key : keys) {
            String[] parts = key.split("/", -1);
            Optional<String> table = parts.length > 3 ? Optional.of(parts[2]) : Optional.empty();
            String user = user(parts[parts.length - 1]);
            store.records().get(key).ifPresent(record -> store.permit(user, table, parse(record)));
        }
    }

    /** Whether the user has a permission for anything here. */
    boolean isKnown(String user) {
        return !anywhere(user).isEmpty();
    }

    /** Whether the user may write anything here. */
    boolean isWriter(String user) {
        return anywhere(user).contains(Permission.WRITE);
    }

    private Set<Permission> anywhere(String user) {
        Set<Permission> all = of(user, Optional.empty());
        store.records().withPrefix(PREFIX + "t/").forEach((key, record) -> {
            if (key.endsWith("/" + user)) {
                all.addAll(parse(record));
            }
        });
        return all;
    }

    /** Whether the user has a permission for anything but this table or, without one, the instance itself. */
    public boolean isKnownBeside(String user, Optional<String> table) {
        String own = key(user, table);
        return store.records().withPrefix(PREFIX).entrySet().stream()
                .anyMatch(entry -> entry.getKey().endsWith("/" + user)
                        && !entry.getKey().equals(own)
                        && !parse(entry.getValue()).isEmpty());
    }

    private static String key(String user, Optional<String> table) {
        return PREFIX + table.map(name -> "t/" + name + "/").orElse("i/") + user;
    }

    /** The name, if it is a valid user name. */
    public static String user(String name) {
        if (!USER.matcher(name).matches()) {
            throw new EntityException(EntityError.BAD_NAME, "Not a name of a user", Map.of("name", name));
        }
        return name;
    }

    private static String text(Set<Permission> permissions) {
        return permissions.stream().sorted().map(Permission::name).collect(Collectors.joining(","));
    }

    private static Set<Permission> parse(Bytes record) {
        Set<Permission> permissions = EnumSet.noneOf(Permission.class);
        Arrays.stream(record.utf8().split(",", -1))
                .filter(name -> !name.isEmpty())
                .forEach(name -> permissions.add(Permission.valueOf(name)));
        return permissions;
    }
}

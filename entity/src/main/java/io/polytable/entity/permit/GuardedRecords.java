package io.polytable.entity.permit;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

/** The records of an instance for one user. A record's key determines the permission needed to change it. */
record GuardedRecords(StoreRecords records, Guard guard) implements StoreRecords {
    private static final String SCHEMAS = "schema/";
    private static final String NEXT = "schema/next";
    private static final String BY_ID = "schema/id/";
    private static final Set<String> TABLES = Set.of("table", "layout", "note");

    @Override
    public Optional<Bytes> get(String key) {
        guard.requireKnown();
        return records.get(key);
    }

    @Override
    public NavigableMap<String, Bytes> withPrefix(String prefix) {
        guard.requireKnown();
        return records.withPrefix(prefix);
    }

    @Override
    public void put(String key, Bytes value) {
        if (isOthersSchema(key)) {
            boolean isThere = !replace(key, Optional.empty(), value);
            if (isThere && !records.get(key).equals(Optional.of(value))) {
                throw kept(key);
            }
            return;
        }
        check(key);
        records.put(key, value);
    }

    @Override
    public void remove(String key) {
        if (isOthersSchema(key)) {
            throw kept(key);
        }
        check(key);
        records.remove(key);
    }

    @Override
    public boolean replace(String key, Optional<Bytes> expected, Bytes value) {
        if (isOthersSchema(key)) {
            guard.requireWriter();
            boolean isNew = key.equals(NEXT) ? isNext(expected, value) : expected.isEmpty() && isGivenOut(key);
            if (!isNew) {
                throw kept(key);
            }
        } else {
            check(key);
        }
        return records.replace(key, expected, value);
    }

    /**
     * A user who may write a cell may register its schema, and no more: all cells of the instance are decoded through
     * these records. A user who may write the instance is not restricted.
     */
    private boolean isOthersSchema(String key) {
        return key.startsWith(SCHEMAS) && !guard.may(Permission.WRITE, Optional.empty());
    }

    private static boolean isNext(Optional<Bytes> expected, Bytes value) {
        String last = expected.map(Bytes::utf8).orElse("0");
        return last.matches("[0-9]{1,18}") && value.utf8().equals(String.valueOf(Long.parseLong(last) + 1));
    }

    /** Whether the number is allocated: a later one is reserved for another schema. */
    private boolean isGivenOut(String key) {
        if (!key.startsWith(BY_ID)) {
            return true;
        }
        String id = key.substring(BY_ID.length());
        long next = records.get(NEXT).map(Bytes::utf8).map(Long::parseLong).orElse(0L);
        return id.matches("[0-9]{1,18}") && Long.parseLong(id) < next;
    }

    private EntityException kept(String key) {
        return new EntityException(
                EntityError.DENIED, "A schema stays as it is", Map.of("user", guard.user(), "record", key));
    }

    private void check(String key) {
        String[] parts = key.split("/", -1);
        boolean isOfTable = parts.length > 1 && TABLES.contains(parts[0]);
        if (isOfTable) {
            guard.require(Permission.WRITE, Optional.of(parts[1]));
        } else if (parts[0].equals("grant")) {
            boolean isForTable = parts.length > 2 && parts[1].equals("t");
            guard.require(Permission.GRANT, isForTable ? Optional.of(parts[2]) : Optional.empty());
        } else {
            guard.require(Permission.WRITE, Optional.empty());
        }
    }
}

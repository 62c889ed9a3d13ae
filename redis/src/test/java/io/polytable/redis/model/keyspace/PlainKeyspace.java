package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Deadlines.Condition;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The plainest keyspace that could be right: a map a database. A string is a value under the empty field. */
final class PlainKeyspace {
    /** What a key holds. */
    record Held(Type type, Map<Bytes, Bytes> content, long expireAt) {
        Held {
            content = new TreeMap<>(content);
        }

        Held until(long deadline) {
            return new Held(type, content, deadline);
        }
    }

    private final List<Map<Bytes, Held>> databases = new ArrayList<>();

    PlainKeyspace() {
        for (int i = 0; i < Keyspace.DATABASES; i++) {
            databases.add(new TreeMap<>());
        }
    }

    void expire(long nowMillis) {
        for (Map<Bytes, Held> database : databases) {
            database.values().removeIf(held -> held.expireAt != Header.NEVER && nowMillis > held.expireAt);
        }
    }

    Map<Bytes, Held> database(int db) {
        return Collections.unmodifiableMap(databases.get(db));
    }

    void putString(int db, Bytes key, Bytes value, long expireAt) {
        databases.get(db).put(key, new Held(Type.STRING, Map.of(Bytes.EMPTY, value), expireAt));
    }

    /** Answers whether the field is new; false also when the key is no hash. */
    boolean putField(int db, Bytes key, Bytes field, Bytes value) {
        Held held = databases.get(db).computeIfAbsent(key, absent -> new Held(Type.HASH, Map.of(), Header.NEVER));
        return held.type == Type.HASH && held.content.put(field, value) == null;
    }

    boolean removeField(int db, Bytes key, Bytes field) {
        Held held = databases.get(db).get(key);
        if (held == null || held.type != Type.HASH || held.content.remove(field) == null) {
            return false;
        }
        if (held.content.isEmpty()) {
            databases.get(db).remove(key);
        }
        return true;
    }

    boolean remove(int db, Bytes key) {
        return databases.get(db).remove(key) != null;
    }

    boolean setDeadline(int db, Bytes key, long deadline, Condition condition, long nowMillis) {
        @Nullable Held held = databases.get(db).get(key);
        if (held == null) {
            return false;
        }
        boolean mortal = held.expireAt != Header.NEVER;
        if ((condition.onlyWithout() && mortal)
                || (condition.onlyWith() && !mortal)
                || (condition.onlyLater() && (!mortal || deadline <= held.expireAt))
                || (condition.onlyEarlier() && mortal && deadline >= held.expireAt)) {
            return false;
        }
        if (deadline <= nowMillis) {
            remove(db, key);
        } else {
            databases.get(db).put(key, held.until(deadline));
        }
        return true;
    }

    boolean clearDeadline(int db, Bytes key) {
        @Nullable Held held = databases.get(db).get(key);
        if (held == null || held.expireAt == Header.NEVER) {
            return false;
        }
        databases.get(db).put(key, held.until(Header.NEVER));
        return true;
    }

    /** Answers whether there was such a key. */
    boolean rename(int db, Bytes from, Bytes to) {
        @Nullable Held held = databases.get(db).remove(from);
        if (held == null) {
            return false;
        }
        databases.get(db).put(to, held);
        return true;
    }

    boolean move(int db, Bytes key, int target) {
        if (!databases.get(db).containsKey(key) || databases.get(target).containsKey(key)) {
            return false;
        }
        databases.get(target).put(key, Objects.requireNonNull(databases.get(db).remove(key)));
        return true;
    }

    boolean copy(int db, Bytes from, int target, Bytes to, boolean replace) {
        @Nullable Held held = databases.get(db).get(from);
        if (held == null || (!replace && databases.get(target).containsKey(to))) {
            return false;
        }
        databases.get(target).put(to, new Held(held.type, held.content, held.expireAt));
        return true;
    }

    void swap(int one, int other) {
        Collections.swap(databases, one, other);
    }

    void flush(int db) {
        databases.get(db).clear();
    }

    void flushAll() {
        databases.forEach(Map::clear);
    }
}

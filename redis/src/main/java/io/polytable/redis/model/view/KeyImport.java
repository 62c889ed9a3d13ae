package io.polytable.redis.model.view;

import io.polytable.frontend.view.ViewImport;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.KeyStripes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.column.Value;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes shown rows back as a client's commands would: consecutive rows of one key in one unit of work, under the
 * key's stripe, so that WATCH and blocked clients see the change.
 */
final class KeyImport implements ViewImport {
    private final Keyspace keyspace;
    private final InstantSource clock;
    private final int database;
    private final Writer writer;

    /** Writes rows of one key. */
    @FunctionalInterface
    interface Writer {
        void write(Space space, Bytes key, List<List<Value>> rows);
    }

    /** @param database the index of the column with the database; the first column has the key */
    KeyImport(Keyspace keyspace, InstantSource clock, int database, Writer writer) {
        this.keyspace = keyspace;
        this.clock = clock;
        this.database = database;
        this.writer = writer;
    }

    @Override
    public void write(List<List<Value>> rows) {
        Optional<Commit> last = Optional.empty();
        try (UnitOfWork unit = keyspace.newUnit()) {
            int from = 0;
            while (from < rows.size()) {
                int to = from + 1;
                while (to < rows.size() && isSameKey(rows.get(from), rows.get(to))) {
                    to++;
                }
                last = Optional.of(write(unit, rows.subList(from, to)));
                from = to;
            }
        }
        last.ifPresent(Commit::awaitDurable);
    }

    private boolean isSameKey(List<Value> one, List<Value> other) {
        return one.get(0).equals(other.get(0)) && one.get(database).equals(other.get(database));
    }

    private Commit write(UnitOfWork unit, List<List<Value>> rows) {
        if (keyspace.removal().follows()) {
            throw new StoreException(
                    StoreError.BAD_VALUE, "This server is a Redis replica, whose keys cannot be changed", Map.of());
        }
        Bytes key = bytes(rows.get(0).get(0));
        Stripes stripes = keyspace.store().stripes();
        int stripe = new KeyStripes(stripes).of(key);
        stripes.lock(stripe);
        try {
            unit.begin(clock.millis(), true);
            writer.write(unit.space(database(rows.get(0).get(database))), key, rows);
            return unit.commit();
        } catch (RedisError refused) {
            throw new StoreException(
                    StoreError.BAD_VALUE,
                    "The key cannot take a row",
                    Map.of("key", key, "why", String.valueOf(refused.getMessage())));
        } finally {
            unit.abandon();
            unit.release();
            stripes.unlock(stripe);
        }
    }

    private static int database(Value value) {
        long number = value instanceof Value.OfInt of ? of.value() : -1;
        if (number < 0 || number >= Keyspace.DATABASES) {
            throw bad("There is no such database");
        }
        return (int) number;
    }

    static Bytes bytes(Value value) {
        if (value instanceof Value.OfBytes of) {
            return of.value();
        }
        throw bad("A value is missing, or was too long to be shown");
    }

    static String text(Value value) {
        if (value instanceof Value.OfString of) {
            return of.value();
        }
        throw bad("A text is missing");
    }

    static long number(Value value) {
        if (value instanceof Value.OfBigint of) {
            return of.value();
        }
        throw bad("A number is missing");
    }

    static StoreException bad(String text) {
        return new StoreException(StoreError.BAD_VALUE, text);
    }
}

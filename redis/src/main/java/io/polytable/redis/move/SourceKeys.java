package io.polytable.redis.move;

import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.move.SourceClient.Answer;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The keys of a source, a page at a time. SCAN may show a key twice. */
final class SourceKeys {
    private static final String PAGE = "200";
    private static final int VERSION_WITH_EXPIRETIME = 7;

    private final SourceClient source;
    private final InstantSource clock;
    private final boolean tellsExpireTime;

    /** @param expireAt {@link Header#NEVER} for no deadline */
    record Value(Bytes payload, long expireAt) {}

    /** Where a walk is: after the last page of the last database its cursor is empty. */
    record Place(int database, String cursor) {
        static final Place START = new Place(0, "0");
    }

    /** What to do with a key. */
    interface Visitor {
        void key(int database, Bytes key, Value value) throws IOException;
    }

    SourceKeys(SourceClient source, InstantSource clock) throws IOException {
        this.source = source;
        this.clock = clock;
        String version = source.info("server", "redis_version").orElse("0");
        this.tellsExpireTime = major(version) >= VERSION_WITH_EXPIRETIME;
    }

    private static int major(String version) {
        try {
            return Integer.parseInt(version.split("\\.", -1)[0]);
        } catch (NumberFormatException unknown) {
            return 0;
        }
    }

    /** Whether the source reports exact deadlines. */
    boolean tellsExpireTime() {
        return tellsExpireTime;
    }

    /** The number of keys in all databases. */
    long count() throws IOException {
        long count = 0;
        for (int database = 0; database < Keyspace.DATABASES; database++) {
            if (select(database)) {
                count += source.number("DBSIZE");
            }
        }
        return count;
    }

    private boolean select(int database) throws IOException {
        try {
            Answer unusedOk = source.call("SELECT", Integer.toString(database));
            return true;
        } catch (SourceClient.SourceRefused fewer) {
            if (database == 0) {
                throw fewer;
            }
            return false;
        }
    }

    /** Visits a page, and returns the place of the next one; empty at the end. */
    Optional<Place> page(Place place, Visitor visitor) throws IOException {
        if (!select(place.database())) {
            return Optional.empty();
        }
        List<Answer> page = SourceClient.asItems(source.call("SCAN", place.cursor(), "COUNT", PAGE));
        if (page.size() != 2) {
            throw new IOException("the source answered no page of keys");
        }
        String next = SourceClient.asValue(page.get(0)).map(Bytes::utf8).orElse("0");
        List<Bytes> keys = new ArrayList<>();
        for (Answer key : SourceClient.asItems(page.get(1))) {
            SourceClient.asValue(key).ifPresent(keys::add);
        }
        visit(place.database(), keys, visitor);
        if (!next.equals("0")) {
            return Optional.of(new Place(place.database(), next));
        }
        return place.database() + 1 < Keyspace.DATABASES
                ? Optional.of(new Place(place.database() + 1, "0"))
                : Optional.empty();
    }

    private void visit(int database, List<Bytes> keys, Visitor visitor) throws IOException {
        for (Bytes key : keys) {
            ask(key);
        }
        for (Bytes key : keys) {
            Optional<Value> value = answered();
            if (value.isPresent()) {
                visitor.key(database, key, value.get());
            }
        }
    }

    private void ask(Bytes key) throws IOException {
        source.send(List.of(Bytes.utf8("DUMP"), key));
        source.send(List.of(Bytes.utf8(tellsExpireTime ? "PEXPIRETIME" : "PTTL"), key));
    }

    /** The key may have gone since it was listed. */
    private Optional<Value> answered() throws IOException {
        Optional<Bytes> payload = SourceClient.asValue(source.read());
        long deadline = SourceClient.asNumber(source.read());
        if (payload.isEmpty() || deadline == -2) {
            return Optional.empty();
        }
        long expireAt = deadline == -1 ? Header.NEVER : tellsExpireTime ? deadline : clock.millis() + deadline;
        return Optional.of(new Value(payload.get(), expireAt));
    }

    Optional<Value> value(int database, Bytes key) throws IOException {
        if (!select(database)) {
            return Optional.empty();
        }
        ask(key);
        return answered();
    }

    /** Those of the keys that the source does not have. */
    List<Bytes> absent(int database, List<Bytes> keys) throws IOException {
        if (!select(database)) {
            return keys;
        }
        for (Bytes key : keys) {
            source.send(List.of(Bytes.utf8("EXISTS"), key));
        }
        List<Bytes> absent = new ArrayList<>();
        for (Bytes key : keys) {
            if (SourceClient.asNumber(source.read()) == 0) {
                absent.add(key);
            }
        }
        return absent;
    }
}

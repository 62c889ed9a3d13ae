package io.polytable.redis.move;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.dump.DumpedValue;
import io.polytable.redis.model.dump.Dumps;
import io.polytable.redis.model.dump.Restores;
import io.polytable.redis.model.keyspace.KeyPage;
import io.polytable.redis.model.keyspace.KeyWalk;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares every key of a source with the one here: value and deadline. A key that differs is looked at again later, since
 * both may still change. Not thread safe.
 */
final class Verification implements AutoCloseable {
    /** So many differing keys are remembered, to be looked at again; more end the comparison. */
    private static final int SUSPECTS_MAX = 10_000;

    private static final int ROUNDS = 5;
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int PAGE = 200;

    /** The clocks of two machines, and the time of a reply, where the source reports remaining times only. */
    private static final long DEADLINE_SLACK_MILLIS = 5000;

    private final SourceKeys source;
    private final DumpFormat format;
    private final InstantSource clock;
    private final Restores restores;
    private final Dumps dumps = new Dumps();
    private final KeyWalk walk = new KeyWalk();
    private final UnitOfWork unit;
    private final Map<Name, Difference> suspects = new LinkedHashMap<>();
    private long keys;

    private record Name(int database, Bytes key) {}

    /** How a key differs. */
    enum Difference {
        MISSING("is missing here"),
        DIFFERENT("has another value or deadline here"),
        EXTRA("is not in the source");

        private final String text;

        Difference(String text) {
            this.text = text;
        }
    }

    /** Receives how many keys are compared. */
    interface Progress {
        void at(long keys) throws IOException;
    }

    Verification(Keyspace keyspace, SourceKeys source, DumpFormat format, Restores restores, InstantSource clock) {
        this.source = source;
        this.format = format;
        this.restores = restores;
        this.clock = clock;
        this.unit = keyspace.newUnit();
    }

    VerificationReport run(Progress progress) throws IOException {
        Optional<SourceKeys.Place> place = Optional.of(SourceKeys.Place.START);
        while (place.isPresent() && suspects.size() < SUSPECTS_MAX) {
            place = source.page(place.get(), this::compare);
            progress.at(keys);
        }
        for (int database = 0; database < Keyspace.DATABASES; database++) {
            findExtra(database, progress);
        }
        for (int round = 1; round < ROUNDS && !suspects.isEmpty(); round++) {
            LockSupport.parkNanos(ROUND_NANOS);
            lookAgain();
            progress.at(keys);
        }
        List<String> samples = suspects.entrySet().stream()
                .limit(VerificationReport.SAMPLES)
                .map(each -> "key " + shown(each.getKey().key()) + " of database "
                        + each.getKey().database() + " " + each.getValue().text)
                .toList();
        return new VerificationReport(keys, suspects.size(), samples);
    }

    private static String shown(Bytes key) {
        return key.length() > 100 ? key.slice(0, 100) + "..." : key.toString();
    }

    private void compare(int database, Bytes key, SourceKeys.Value value) {
        keys++;
        note(new Name(database, key), difference(database, key, value));
    }

    private void note(Name name, Optional<Difference> found) {
        found.ifPresentOrElse(
                difference -> {
                    if (suspects.size() < SUSPECTS_MAX || suspects.containsKey(name)) {
                        suspects.put(name, difference);
                    }
                },
                () -> suspects.remove(name));
    }

    private Optional<Difference> difference(int database, Bytes key, SourceKeys.Value value) {
        try {
            unit.begin(clock.millis(), false);
            Space space = unit.space(database);
            Optional<Header> header = space.peek(key);
            if (header.isEmpty()) {
                return Optional.of(Difference.MISSING);
            }
            DumpedValue theirs = restores.read(space, value.payload());
            DumpedValue ours = restores.read(space, dumps.dump(space, header.get(), format));
            boolean isSame =
                    SameValue.of(ours, theirs) && isSameDeadline(header.get().expireAt(), value.expireAt());
            return isSame ? Optional.empty() : Optional.of(Difference.DIFFERENT);
        } catch (RedisError unreadable) {
            return Optional.of(Difference.DIFFERENT);
        } finally {
            unit.abandon();
            unit.release();
        }
    }

    private boolean isSameDeadline(long ours, long theirs) {
        if (source.tellsExpireTime() || ours == Header.NEVER || theirs == Header.NEVER) {
            return ours == theirs;
        }
        return Math.abs(ours - theirs) <= DEADLINE_SLACK_MILLIS;
    }

    private void findExtra(int database, Progress progress) throws IOException {
        long cursor = 0;
        do {
            unit.begin(clock.millis(), false);
            KeyPage page;
            try {
                page = walk.step(unit.space(database), cursor, PAGE, (key, header) -> true);
            } finally {
                unit.abandon();
                unit.release();
            }
            List<Bytes> here = new ArrayList<>(page.keys());
            for (Bytes key : source.absent(database, here)) {
                note(new Name(database, key), Optional.of(Difference.EXTRA));
            }
            cursor = page.cursor();
            progress.at(keys);
        } while (cursor != 0 && suspects.size() < SUSPECTS_MAX);
    }

    private void lookAgain() throws IOException {
        for (Name name : List.copyOf(suspects.keySet())) {
            Optional<SourceKeys.Value> value = source.value(name.database(), name.key());
            if (value.isPresent()) {
                note(name, difference(name.database(), name.key(), value.get()));
            } else {
                note(name, isHere(name) ? Optional.of(Difference.EXTRA) : Optional.empty());
            }
        }
    }

    private boolean isHere(Name name) {
        try {
            unit.begin(clock.millis(), false);
            return unit.space(name.database()).peek(name.key()).isPresent();
        } finally {
            unit.abandon();
            unit.release();
        }
    }

    @Override
    public void close() {
        unit.close();
    }
}

package io.polytable.redis.model.rdb;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.Origin;
import io.polytable.redis.model.dump.Restores;
import io.polytable.redis.model.dump.ValuePart;
import io.polytable.redis.model.dump.ValueParts;
import io.polytable.redis.model.keyspace.KeyStripes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Libraries;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.packing.MalformedPacking;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.stream.Pending;
import io.polytable.table.Bytes;
import io.polytable.table.Stripes;
import io.polytable.table.TableStore;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Writes the functions and keys of an RDB file, the keys as a client's RESTORE with REPLACE would: under the key's stripe, seen by WATCH, blocked
 * clients and notifications. A value of many elements takes several commits and gets its deadline with the last one; its
 * key is visible, incomplete, until then. Keys that have expired are left out. Not thread safe.
 */
public final class RdbImport implements AutoCloseable {
    /** After this many bytes of the file what was written becomes durable, and a caller may note the place. */
    private static final long CHECKPOINT_BYTES = 32L << 20;

    private static final int FLUSHED_COMMITS = 256;
    private static final int PENDING_AT_ONCE = 4096;

    private final Keyspace keyspace;
    private final Restores restores;
    private final InstantSource clock;
    private final UnitOfWork unit;

    /** Counts the memory of what is read from the file and not yet written. */
    private final UnitOfWork charges;

    private final FunctionSink functions;
    private final Origin origin;
    private int database;
    private int commits;
    private long checkpointAt;
    private Totals totals = new Totals(0, 0, 0);

    /** What was imported so far. */
    public record Totals(long keys, long expired, long functions) {
        private Totals plus(long moreKeys, long moreExpired, long moreFunctions) {
            return new Totals(keys + moreKeys, expired + moreExpired, functions + moreFunctions);
        }
    }

    /** Says what becomes of a library of functions. */
    public interface FunctionSink {
        /**
         * The libraries with this one, in place of one of its name.
         *
         * @throws RedisError when it is invalid here
         */
        Libraries with(Libraries before, Bytes source);
    }

    /** A place of the file: everything before it is durable. */
    public record Checkpoint(RdbReader.Mark mark, int database, Totals totals) {}

    /** @param origin of the changes; a primary's keys are written even if they have expired here */
    public RdbImport(Keyspace keyspace, Restores restores, InstantSource clock, FunctionSink functions, Origin origin) {
        this.origin = origin;
        this.keyspace = keyspace;
        this.restores = restores;
        this.clock = clock;
        this.functions = functions;
        this.unit = keyspace.newUnit();
        this.charges = keyspace.newUnit();
    }

    /** For the reader: refuses values that take too much memory. */
    public LongConsumer memory() {
        return charges.space(0)::keep;
    }

    /** Continues after a checkpoint of an earlier run; the reader was {@link RdbReader#resume resumed} there. */
    public void resume(Checkpoint from) {
        database = from.database();
        totals = from.totals();
        checkpointAt = from.mark().offset();
    }

    /**
     * Imports everything that the reader has left. All of it is durable when this returns.
     *
     * @param place called before each item with the position in the file; it may throw to end the work
     * @throws RdbException when the file is damaged; keys before the damage are written
     * @throws RedisError when a value does not fit in here
     */
    public Totals run(RdbReader reader, LongConsumer place, Consumer<Checkpoint> checkpoints) {
        RdbItem item;
        do {
            place.accept(reader.position());
            if (reader.position() - checkpointAt >= CHECKPOINT_BYTES) {
                awaitDurable();
                checkpointAt = reader.position();
                checkpoints.accept(new Checkpoint(reader.mark(), database, totals));
            }
            item = reader.next();
            accept(reader, item);
            charges.release();
        } while (!(item instanceof RdbItem.End));
        awaitDurable();
        return totals;
    }

    private void awaitDurable() {
        AnswerGate answers = new AnswerGate(keyspace.store());
        answers.await(answers.seen());
    }

    private void accept(RdbReader reader, RdbItem item) {
        if (item instanceof RdbItem.Database next) {
            database = next.number();
        } else if (item instanceof RdbItem.Function function) {
            add(function.source());
        } else if (item instanceof RdbItem.Key key) {
            try {
                write(key);
            } catch (MalformedPacking malformed) {
                throw reader.damaged(malformed);
            }
        }
    }

    private void add(Bytes source) {
        Stripes stripes = keyspace.store().stripes();
        stripes.lockEverything();
        try {
            unit.begin(clock.millis(), true, origin);
            Libraries before = unit.libraries();
            Libraries next = functions.with(before, source);
            unit.changeLibraries(next);
            unit.commit();
            totals = totals.plus(0, 0, next == before ? 0 : 1);
        } finally {
            unit.abandon();
            unit.release();
            stripes.unlockEverything();
        }
    }

    private void write(RdbItem.Key key) {
        boolean isExpired =
                origin.primary().isEmpty() && key.expireAt() != Header.NEVER && key.expireAt() <= clock.millis();
        ValueParts parts = key.value();
        boolean isComplete = false;
        boolean isBegun = false;
        try {
            do {
                ValuePart part = parts.next();
                if (!isExpired) {
                    isBegun = true;
                    writePart(key, part, parts.isDone());
                }
                charges.release();
            } while (!parts.isDone());
            isComplete = true;
        } finally {
            if (!isComplete && isBegun) {
                // Half a value must not pass for a whole one.
                commit(key.key(), space -> space.remove(key.key()));
            }
        }
        totals = totals.plus(isExpired ? 0 : 1, isExpired ? 1 : 0, 0);
    }

    private void writePart(RdbItem.Key key, ValuePart part, boolean isLast) {
        Bytes name = key.key();
        if (part instanceof ValuePart.Group group) {
            List<Pending> pending = group.group().pending();
            for (int from = 0; from < pending.size(); from += PENDING_AT_ONCE) {
                List<Pending> some = pending.subList(from, Math.min(pending.size(), from + PENDING_AT_ONCE));
                commit(
                        name,
                        space ->
                                restores.writePending(space, name, group.group().name(), some));
            }
        }
        commit(name, space -> {
            restores.write(space, name, part);
            if (isLast) {
                restores.end(space, name, key.expireAt());
                key.idleSeconds().ifPresent(idle -> space.usedBefore(name, idle));
            }
        });
    }

    private void commit(Bytes key, Consumer<Space> change) {
        TableStore store = keyspace.store();
        awaitRoom(store);
        Stripes stripes = store.stripes();
        int stripe = new KeyStripes(stripes).of(key);
        stripes.lock(stripe);
        try {
            unit.begin(clock.millis(), true, origin);
            change.accept(unit.space(database));
            unit.commit();
        } finally {
            unit.abandon();
            unit.release();
            stripes.unlock(stripe);
        }
        if (++commits % FLUSHED_COMMITS == 0) {
            store.flush();
        }
    }

    private static void awaitRoom(TableStore store) {
        if (!store.hasRoom()) {
            CompletableFuture<Void> room = new CompletableFuture<>();
            store.whenRoom(() -> room.complete(null));
            room.join();
        }
    }

    @Override
    public void close() {
        unit.close();
        charges.close();
    }
}

package io.polytable.redis.model.hyperloglog;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Operations on HyperLogLogs, which are strings that hold the bytes of a {@link Sketch}. */
public final class HyperLogLogs {
    private static final KeyEvent PFADD = new KeyEvent(EventClass.STRING, "pfadd");

    private final IntSupplier sparseBytesMax;

    /** @param sparseBytesMax the setting {@code hll-sparse-max-bytes}, asked for in each call */
    public HyperLogLogs(IntSupplier sparseBytesMax) {
        this.sparseBytesMax = sparseBytesMax;
    }

    /**
     * Counts the elements; returns whether the estimate may have changed. Creates an absent key, even without
     * elements.
     */
    public boolean add(Space space, Bytes key, List<Bytes> elements) {
        Optional<StringHeader> present = space.stringHeader(key);
        Sketch sketch = sketch(present);
        boolean changed = present.isEmpty();
        for (Bytes element : elements) {
            changed |= sketch.add(element);
        }
        if (changed) {
            sketch.invalidateCache();
            save(space, key, present, sketch);
            space.changed(key, PFADD);
        }
        return changed;
    }

    /** The estimate for one key. As in Redis it is cached in the value, so that the next call costs nothing. */
    public long count(Space space, Bytes key) {
        Optional<StringHeader> present = space.stringHeader(key);
        if (present.isEmpty()) {
            space.missed(key);
            return 0;
        }
        Sketch sketch = sketch(present);
        if (!sketch.isCacheValid()) {
            sketch.cache(sketch.estimate());
            save(space, key, present, sketch);
        }
        return sketch.cached();
    }

    /** The estimate for the union of the keys. */
    public long count(Space space, List<Bytes> keys) {
        int[] histogram = new int[Long.SIZE];
        for (byte rank : union(space, keys).ranks) {
            histogram[rank]++;
        }
        return Estimator.estimate(histogram);
    }

    /** Sets the target to the union of itself and the sources. */
    public void merge(Space space, Bytes target, List<Bytes> sources) {
        List<Bytes> all = new ArrayList<>(sources.size() + 1);
        all.add(target);
        all.addAll(sources);
        Union union = union(space, all);
        Optional<StringHeader> present = space.stringHeader(target);
        Sketch sketch = sketch(present);
        if (union.anyDense) {
            boolean unused = sketch.toDense();
        }
        for (int i = 0; i < Sketch.REGISTERS; i++) {
            if (union.ranks[i] > 0) {
                boolean unused = sketch.raise(i, union.ranks[i]);
            }
        }
        sketch.invalidateCache();
        save(space, target, present, sketch);
        space.changed(target, PFADD);
    }

    @SuppressWarnings("ArrayRecordComponent") // made and read in one method
    private record Union(byte[] ranks, boolean anyDense) {}

    private Union union(Space space, List<Bytes> keys) {
        byte[] ranks = new byte[Sketch.REGISTERS];
        boolean anyDense = false;
        for (Bytes key : keys) {
            Optional<Bytes> value = space.string(key);
            if (value.isPresent()) {
                Sketch sketch = Sketch.of(value.get(), sparseBytesMax.getAsInt());
                sketch.maxInto(ranks);
                anyDense |= sketch.isDense();
            } else {
                space.missed(key);
            }
        }
        return new Union(ranks, anyDense);
    }

    /** All registers of the key; makes it dense, as PFDEBUG GETREG does. */
    public List<Long> registers(Space space, Bytes key) {
        boolean unused = toDense(space, key);
        byte[] ranks = new byte[Sketch.REGISTERS];
        existing(space, key).maxInto(ranks);
        List<Long> registers = new ArrayList<>(ranks.length);
        for (byte rank : ranks) {
            registers.add((long) rank);
        }
        return registers;
    }

    /** The runs of a sparse sketch as text. */
    public String decode(Space space, Bytes key) {
        Sketch sketch = existing(space, key);
        if (sketch.isDense()) {
            throw new RedisError("HLL encoding is not sparse");
        }
        return sketch.sparseText();
    }

    public String encoding(Space space, Bytes key) {
        return existing(space, key).isDense() ? "dense" : "sparse";
    }

    /** Makes the sketch dense; returns whether it was sparse. */
    public boolean toDense(Space space, Bytes key) {
        Sketch sketch = existing(space, key);
        boolean converted = sketch.toDense();
        if (converted) {
            save(space, key, space.stringHeader(key), sketch);
        }
        return converted;
    }

    private Sketch existing(Space space, Bytes key) {
        Optional<StringHeader> present = space.stringHeader(key);
        if (present.isEmpty()) {
            throw new RedisError("The specified key does not exist");
        }
        return sketch(present);
    }

    private Sketch sketch(Optional<StringHeader> present) {
        int most = sparseBytesMax.getAsInt();
        return present.isPresent() ? Sketch.of(present.get().value(), most) : Sketch.empty(most);
    }

    private static void save(Space space, Bytes key, Optional<StringHeader> present, Sketch sketch) {
        long expireAt = present.map(StringHeader::expireAt).orElse(Header.NEVER);
        space.putString(key, sketch.value(), expireAt, StringHeader.Form.RAW);
    }
}

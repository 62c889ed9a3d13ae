package io.polytable.redis.model.row;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A cache of candidates for random picks. Opening a scan at a random position costs more than reading a hundred rows,
 * so one scan fetches the candidates of many picks. A candidate is only a hint: whoever takes one reads its row, and
 * skips it when the row is gone. Each is handed out once, in shuffled order. Candidates are neighbours in the order of
 * a secret hash, which says nothing about members.
 *
 * <p>Memory is bounded: the number of pools is fixed, and so are the candidates and bytes of each.
 */
final class CandidatePools {
    private static final int CANDIDATES_USUAL = 256;

    /** For a large collection: the scan is then a small part of a pick's cost. */
    private static final int CANDIDATES_MAX = 4096;

    private static final int POOL_BYTES_MAX = 96 << 10;
    private static final int POOLS = 32;

    /**
     * Elements per candidate for picks. With one in so many, it is indistinguishable from chance that picks do not repeat for
     * a while.
     */
    private static final int ELEMENTS_A_PICK = 64;

    /**
     * Elements per candidate for pops. Popped elements do not repeat anyway; only later ones are passed over for a
     * while.
     */
    private static final int ELEMENTS_A_POP = 16;

    /** The size from which a collection counts as large. */
    private static final long LARGE = ELEMENTS_A_PICK * CANDIDATES_USUAL;

    /** The remaining candidates of one collection, packed into an array. One caller uses it at a time. */
    private static final class Pool {
        private final long collection;
        private final byte[] bytes;
        private final int[] ends;
        private int left;

        /** The size of the collection after the last pick. */
        private long size;

        Pool(long collection, long size, List<Bytes> candidates, int length) {
            this.collection = collection;
            this.size = size;
            // Copies: views would keep whole chunks of rows from being freed.
            bytes = new byte[length];
            ends = new int[candidates.size()];
            int at = 0;
            for (Bytes candidate : candidates) {
                candidate.copyTo(bytes, at);
                at += candidate.length();
                ends[left++] = at;
            }
        }

        boolean serves(Elements elements, long present) {
            // In a small collection, passing over a member added since would be noticeable.
            return collection == elements.id() && left > 0 && (present >= LARGE || present == size);
        }

        Bytes next() {
            left--;
            int start = left == 0 ? 0 : ends[left - 1];
            return Bytes.of(bytes, start, ends[left] - start);
        }
    }

    /** A caller takes the pool out of its slot for a pick, so that no other uses it meanwhile. */
    private final AtomicReferenceArray<Pool> picks = new AtomicReferenceArray<>(POOLS);

    private final AtomicReferenceArray<Pool> pops = new AtomicReferenceArray<>(POOLS);

    /** Picks a row of a collection of this size, at least one. The row stays. */
    RingRow pick(Elements elements, long size, Random random) {
        if (size < LARGE) {
            return elements.random(random).orElseThrow();
        }
        int slot = slotOf(elements);
        Pool pool = picks.getAndSet(slot, null);
        while (true) {
            if (pool == null || !pool.serves(elements, size)) {
                pool = filled(elements, size, ELEMENTS_A_PICK, random);
            }
            Bytes candidate = pool.next();
            Optional<Bytes> value = elements.get(candidate);
            if (value.isPresent()) {
                pool.size = size;
                picks.set(slot, pool.left > 0 ? pool : null);
                return new RingRow(candidate, value.get());
            }
        }
    }

    /** Deletes a row of a collection of this size, at least one, and answers its sub-key. */
    Bytes pop(Elements elements, long size, Random random) {
        int slot = slotOf(elements);
        Pool pool = pops.getAndSet(slot, null);
        while (true) {
            if (pool == null || !pool.serves(elements, size)) {
                pool = filled(elements, size, ELEMENTS_A_POP, random);
            }
            Bytes candidate = pool.next();
            if (elements.remove(candidate)) {
                pool.size = size - 1;
                pops.set(slot, pool.left > 0 ? pool : null);
                return candidate;
            }
        }
    }

    private static int slotOf(Elements elements) {
        return (int) (elements.id() & (POOLS - 1));
    }

    /** Answers a pool of at least one candidate. */
    private static Pool filled(Elements elements, long size, int share, Random random) {
        List<Bytes> candidates = new ArrayList<>();
        int bytes = 0;
        long wanted = Math.max(CANDIDATES_USUAL, Math.min(CANDIDATES_MAX, size / share));
        // A window reads values too (those of a hash), so it is wide only where they are small.
        for (RingRow row : elements.window(random.nextInt(), CANDIDATES_USUAL, (int) wanted, POOL_BYTES_MAX)) {
            int more = row.sub().length();
            if (!candidates.isEmpty() && bytes + more > POOL_BYTES_MAX) {
                break;
            }
            bytes += more;
            candidates.add(row.sub());
        }
        Collections.shuffle(candidates, random);
        return new Pool(elements.id(), size, candidates, bytes);
    }
}

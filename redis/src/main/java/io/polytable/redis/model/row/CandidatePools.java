package io.polytable.redis.model.row;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Candidates for random picks. Opening a scan at a random place costs more than reading a hundred rows, so one scan
 * fetches the candidates of many picks. A candidate is only a hint: whoever takes one reads its row, and passes over those
 * that are gone. Each is handed out once, in an order of its own; their scatter is secret and says nothing about members.
 *
 * <p>Bounded by construction: so many pools, each of so many candidates and bytes.
 */
final class CandidatePools {
    private static final int CANDIDATES_USUAL = 256;

    /** Of a collection that is large enough: the scan is then a small part of what a pick costs. */
    private static final int CANDIDATES_MAX = 4096;

    private static final int POOL_BYTES_MAX = 96 << 10;
    private static final int POOLS = 32;

    /** Of so many elements one is a candidate: that picks do not repeat themselves for a while cannot be told from chance. */
    private static final int ELEMENTS_A_PICK = 64;

    /** What is popped does not repeat itself anyway; only who comes later is passed over for a while. */
    private static final int ELEMENTS_A_POP = 16;

    /** A collection is large from here on. */
    private static final long LARGE = ELEMENTS_A_PICK * CANDIDATES_USUAL;

    /** What is left of a scan of one collection, one behind the other in an array. Of one caller at a time. */
    private static final class Pool {
        private final long collection;
        private final byte[] bytes;
        private final int[] ends;
        private int left;

        /** How large the collection was after the last pick. */
        private long size;

        Pool(long collection, long size, List<Bytes> candidates, int length) {
            this.collection = collection;
            this.size = size;
            // Copies: views would keep whole chunks of rows from being given back.
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
            // In a small collection a member that came since would be passed over for a time that can be noticed.
            return collection == elements.id() && left > 0 && (present >= LARGE || present == size);
        }

        Bytes next() {
            left--;
            int start = left == 0 ? 0 : ends[left - 1];
            return Bytes.of(bytes, start, ends[left] - start);
        }
    }

    /** A pool belongs to one caller at a time: it is taken out of its slot for a pick. */
    private final AtomicReferenceArray<Pool> picks = new AtomicReferenceArray<>(POOLS);

    private final AtomicReferenceArray<Pool> pops = new AtomicReferenceArray<>(POOLS);

    /** A row of a collection that has so many, one at least, and keeps it. */
    ScatteredRow pick(Elements elements, long size, Random random) {
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
                return new ScatteredRow(candidate, value.get());
            }
        }
    }

    /** Deletes a row of a collection that has so many, one at least, and answers its sub-key. */
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

    /** One candidate at least. */
    private static Pool filled(Elements elements, long size, int share, Random random) {
        List<Bytes> candidates = new ArrayList<>();
        int bytes = 0;
        long wanted = Math.max(CANDIDATES_USUAL, Math.min(CANDIDATES_MAX, size / share));
        // A window reads values too, those of a hash: it is wide only where they are small.
        for (ScatteredRow row : elements.window(random.nextInt(), CANDIDATES_USUAL, (int) wanted, POOL_BYTES_MAX)) {
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

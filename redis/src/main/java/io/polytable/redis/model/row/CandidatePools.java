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
    private static final int CANDIDATES_MAX = 1024;

    private static final int POOL_BYTES_MAX = 32 << 10;
    private static final int POOLS = 64;

    /** Of so many elements one is a candidate: that picks do not repeat themselves for a while cannot be told from chance. */
    private static final int ELEMENTS_A_CANDIDATE = 64;

    /** A collection is large from here on. */
    private static final long LARGE = ELEMENTS_A_CANDIDATE * CANDIDATES_USUAL;

    /** What is left of a scan of one collection, and how large that was after the last pick. */
    private record Pool(long collection, long size, List<Bytes> candidates) {
        boolean serves(Elements elements, long present) {
            // In a small collection a member that came since would be passed over for a time that can be noticed.
            return collection == elements.id() && !candidates.isEmpty() && (present >= LARGE || present == size);
        }

        Bytes next() {
            return candidates.remove(candidates.size() - 1);
        }

        Pool of(long present) {
            return new Pool(collection, present, candidates);
        }
    }

    /** A pool belongs to one caller at a time: it is taken out of its slot for a pick. */
    private final AtomicReferenceArray<Pool> slots = new AtomicReferenceArray<>(POOLS);

    /** A row of a collection that has so many, one at least, and keeps it. */
    ScatteredRow pick(Elements elements, long size, Random random) {
        return size < LARGE ? elements.random(random).orElseThrow() : fromPool(elements, size, size, random);
    }

    /** A row of a collection that has so many, one at least; the caller deletes it. */
    ScatteredRow pop(Elements elements, long size, Random random) {
        return fromPool(elements, size, size - 1, random);
    }

    private ScatteredRow fromPool(Elements elements, long size, long sizeAfter, Random random) {
        int slot = (int) (elements.id() & (POOLS - 1));
        Pool pool = slots.getAndSet(slot, null);
        while (true) {
            if (pool == null || !pool.serves(elements, size)) {
                pool = filled(elements, size, random);
            }
            Bytes candidate = pool.next();
            Optional<Bytes> value = elements.get(candidate);
            if (value.isPresent()) {
                slots.set(slot, pool.of(sizeAfter));
                return new ScatteredRow(candidate, value.get());
            }
        }
    }

    /** One candidate at least. */
    private static Pool filled(Elements elements, long size, Random random) {
        List<Bytes> candidates = new ArrayList<>();
        long bytes = 0;
        long wanted = Math.max(CANDIDATES_USUAL, Math.min(CANDIDATES_MAX, size / ELEMENTS_A_CANDIDATE));
        // A window reads values too, those of a hash: it is wide only where they are small.
        for (ScatteredRow row : elements.window(random.nextInt(), CANDIDATES_USUAL, (int) wanted, POOL_BYTES_MAX)) {
            bytes += row.sub().length();
            if (!candidates.isEmpty() && bytes > POOL_BYTES_MAX) {
                break;
            }
            // A copy: a view would keep a whole chunk of rows from being given back.
            candidates.add(row.sub().copy());
        }
        Collections.shuffle(candidates, random);
        return new Pool(elements.id(), size, candidates);
    }
}

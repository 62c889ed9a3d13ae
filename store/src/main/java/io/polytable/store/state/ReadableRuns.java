package io.polytable.store.state;

import io.polytable.table.Bytes;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;

/**
 * Finds the readable runs of keys in a file with damaged blocks.
 *
 * <p>An iterator stops at a damaged block, and the key after it is unknown. So the range of keys between two readable
 * ones is bisected: a seek into a readable block finds the run around it, and both sides of a failed seek are searched
 * on, the widest first, up to a number of attempts.
 */
final class ReadableRuns {
    /** Each costs the read of one block. Enough to find a block among some hundred damaged ones. */
    private static final int FAILED_SEEKS_MAX = 4096;

    /** Bytes behind the common prefix of two keys that a key between them may differ in. */
    private static final int DIGITS_MAX = 16;

    private final SstFileReaderIterator rows;
    private final List<Run> runs = new ArrayList<>();
    private final Deque<Gap> gaps = new ArrayDeque<>();

    /** A run of keys without a damaged block between them. */
    record Run(Bytes first, Bytes last) {
        private Run until(Bytes key) {
            return key.compareTo(last) > 0 ? new Run(first, key) : this;
        }
    }

    /** Keys between two others, exclusive, none of which was found readable yet. */
    private record Gap(Bytes after, Bytes before) {
        Optional<Bytes> middle() {
            int common = 0;
            while (common < Math.min(after.length(), before.length()) && after.at(common) == before.at(common)) {
                common++;
            }
            int length = common + DIGITS_MAX;
            BigInteger low = number(after, length);
            BigInteger high = number(before, length);
            BigInteger middle = low.add(high).shiftRight(1);
            if (middle.compareTo(low) <= 0) {
                return Optional.empty();
            }
            byte[] digits = middle.toByteArray();
            byte[] key = new byte[length];
            int from = Math.max(0, digits.length - length);
            System.arraycopy(digits, from, key, length - (digits.length - from), digits.length - from);
            Bytes found = Bytes.of(key);
            return found.compareTo(after) > 0 && found.compareTo(before) < 0 ? Optional.of(found) : Optional.empty();
        }

        private static BigInteger number(Bytes key, int length) {
            return new BigInteger(1, Arrays.copyOf(key.toByteArray(), length));
        }
    }

    private ReadableRuns(SstFileReaderIterator rows) {
        this.rows = rows;
    }

    /**
     * The runs of the file in ascending order.
     *
     * @param smallest a key at or before the first one
     * @param largest a key at or after the last one
     */
    static List<Run> of(Path file, Bytes smallest, Bytes largest) throws RocksDBException {
        try (Options options = new Options();
                ReadOptions reads = new ReadOptions().setFillCache(false);
                SstFileReader reader = new SstFileReader(options)) {
            reader.open(file.toString());
            try (SstFileReaderIterator rows = reader.newIterator(reads)) {
                return new ReadableRuns(rows).find(smallest, largest);
            }
        }
    }

    private List<Run> find(Bytes smallest, Bytes largest) {
        Bytes after = smallest;
        Bytes before = largest;
        // The first and the last keys of the file may be deletions, which an iterator does not show.
        rows.seekToFirst();
        if (rows.isValid()) {
            after = lastFrom(Bytes.of(rows.key()), largest);
            runs.add(new Run(smallest, after));
        }
        rows.seekToLast();
        if (rows.isValid()) {
            before = firstUpTo(Bytes.of(rows.key()), after);
            runs.add(new Run(before, largest));
        }
        gaps.add(new Gap(after, before));
        int failed = 0;
        while (failed < FAILED_SEEKS_MAX && !gaps.isEmpty()) {
            Gap gap = gaps.remove();
            Optional<Bytes> middle = gap.middle();
            if (middle.isPresent() && !search(gap, middle.get())) {
                failed++;
            }
        }
        return joined();
    }

    /** Going back, an iterator stops earlier than going forward, so that runs may overlap. */
    private List<Run> joined() {
        runs.sort(Comparator.comparing(Run::first));
        List<Run> joined = new ArrayList<>();
        for (Run run : runs) {
            int end = joined.size() - 1;
            if (end >= 0 && run.first().compareTo(joined.get(end).last()) <= 0) {
                joined.set(end, joined.get(end).until(run.last()));
            } else {
                joined.add(run);
            }
        }
        return joined;
    }

    /** Returns whether the block of the key is readable. */
    private boolean search(Gap gap, Bytes middle) {
        rows.seek(middle.toByteArray());
        if (!rows.isValid()) {
            gaps.add(new Gap(gap.after(), middle));
            gaps.add(new Gap(middle, gap.before()));
            return false;
        }
        Bytes found = Bytes.of(rows.key());
        if (found.compareTo(gap.before()) >= 0) {
            // No key lies between the two.
            gaps.add(new Gap(gap.after(), middle));
            return true;
        }
        Bytes first = firstUpTo(found, gap.after());
        rows.seek(found.toByteArray());
        Bytes last = lastFrom(found, gap.before());
        runs.add(new Run(first, last));
        gaps.add(new Gap(gap.after(), first));
        gaps.add(new Gap(last, gap.before()));
        return true;
    }

    /** The last key that can be read from the iterator's position on, or the limit if the run reaches it. */
    private Bytes lastFrom(Bytes key, Bytes limit) {
        Bytes last = key;
        for (; rows.isValid() && last.compareTo(limit) < 0; rows.next()) {
            last = Bytes.of(rows.key());
        }
        return last.compareTo(limit) < 0 ? last : limit;
    }

    private Bytes firstUpTo(Bytes key, Bytes limit) {
        Bytes first = key;
        for (; rows.isValid() && first.compareTo(limit) > 0; rows.prev()) {
            first = Bytes.of(rows.key());
        }
        return first.compareTo(limit) > 0 ? first : limit;
    }
}

package io.polytable.table.write;

import io.polytable.table.Bytes;
import java.util.Arrays;

/**
 * A batch's changes ordered by key, the newest change of a key first: a skip list of change numbers whose keys stay in the
 * batch. It takes some twelve bytes per change; a map of keys would take many times the batch's size. Changes are added in
 * the order of the batch and removed from its end.
 */
final class SortedChanges {
    static final int NONE = -1;

    /** Before all changes of a key, and behind all of them. */
    static final int NEWEST = Integer.MAX_VALUE;

    static final int BEHIND = -1;

    private static final int KEEP_MAX = 4096;
    private static final int LEVELS_MAX = 12;

    private final Batch batch;
    private final EncodedRow row = new EncodedRow();

    /** The first change on each level. */
    private final int[] heads = new int[LEVELS_MAX];

    /** The last change before the search target, on each level; {@link #NONE} before the first. */
    private final int[] path = new int[LEVELS_MAX];

    /** Where the links of each change begin. */
    private int[] starts = new int[0];

    /** The next change on the first level, the second, and so on: of one change after the other. */
    private int[] links = new int[0];

    private int size;
    private int linksUsed;

    SortedChanges(Batch batch) {
        this.batch = batch;
        Arrays.fill(heads, NONE);
    }

    /** How many of the batch's changes were added or skipped. */
    int size() {
        return size;
    }

    /** Adds the batch's next change, after {@link #reserve}, or skips it if it is a range delete. */
    void add(boolean isPointChange) {
        int levels = isPointChange ? levels(size) : 0;
        reserveLinks(levels);
        int change = size++;
        starts[change] = linksUsed;
        linksUsed += levels;
        if (levels > 0) {
            searchItself(change);
            for (int level = 0; level < levels; level++) {
                links[starts[change] + level] = next(path[level], level);
                link(path[level], level, change);
            }
        }
    }

    /** Reserves memory for the given number of further changes. */
    void reserve(int more) {
        if (size + more > starts.length) {
            starts = Arrays.copyOf(starts, size + Math.max(more, 16 + size / 2));
        }
        reserveLinks(more + more / 2);
    }

    private void reserveLinks(int more) {
        if (linksUsed + more > links.length) {
            links = Arrays.copyOf(links, linksUsed + Math.max(more, 16 + linksUsed / 2));
        }
    }

    /** One in four is on the next level too. Which ones follows from their numbers, so that runs can be repeated. */
    private static int levels(int change) {
        int mixed = change * 0x9E3779B9;
        mixed = (mixed ^ (mixed >>> 15)) * 0x85EBCA6B;
        mixed ^= mixed >>> 13;
        return 1 + Math.min(LEVELS_MAX - 1, Integer.numberOfTrailingZeros(mixed) / 2);
    }

    /** Removes the last change. */
    void removeLast() {
        int change = size - 1;
        int levels = linksUsed - starts[change];
        if (levels > 0) {
            searchItself(change);
            for (int level = 0; level < levels; level++) {
                link(path[level], level, links[starts[change] + level]);
            }
        }
        linksUsed = starts[change];
        size = change;
    }

    void clear() {
        Arrays.fill(heads, NONE);
        // One huge batch must not keep its memory forever.
        if (starts.length > KEEP_MAX) {
            starts = new int[0];
            links = new int[0];
        }
        size = 0;
        linksUsed = 0;
    }

    private int next(int change, int level) {
        return change == NONE ? heads[level] : links[starts[change] + level];
    }

    private void link(int change, int level, int next) {
        if (change == NONE) {
            heads[level] = next;
        } else {
            links[starts[change] + level] = next;
        }
    }

    private void searchItself(int change) {
        batch.row(row, change);
        search(row.table(), row.key(), change);
    }

    /** Finds the way to the first change of the key with this number or a lower one, or of the next key. */
    private void search(int table, Bytes key, int number) {
        int before = NONE;
        for (int level = LEVELS_MAX - 1; level >= 0; level--) {
            int next = next(before, level);
            while (next != NONE && isBefore(next, table, key, number)) {
                before = next;
                next = next(before, level);
            }
            path[level] = before;
        }
    }

    private boolean isBefore(int change, int table, Bytes key, int number) {
        batch.row(row, change);
        if (row.table() != table) {
            return row.table() < table;
        }
        int order = Arrays.compareUnsigned(
                row.array(),
                row.keyOffset(),
                row.keyOffset() + row.keyLength(),
                key.array(),
                key.offset(),
                key.offset() + key.length());
        return order != 0 ? order < 0 : change > number;
    }

    /** The first change of the key with this number or a lower one, or of the next key of this table or a later one. */
    int ceiling(int table, Bytes key, int number) {
        search(table, key, number);
        return next(path[0], 0);
    }

    /** The last change before those of the key: the oldest of the key before it, in this table or an earlier one. */
    int lower(int table, Bytes key) {
        search(table, key, NEWEST);
        return path[0];
    }

    /** The change that follows: of the same key, or the next. */
    int following(int change) {
        return next(change, 0);
    }
}

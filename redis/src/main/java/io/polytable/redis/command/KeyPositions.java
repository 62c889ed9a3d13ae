package io.polytable.redis.command;

import io.polytable.redis.command.KeySpec.Begin;
import io.polytable.redis.command.KeySpec.Find;
import java.util.Arrays;

/** The positions of a call's keys among its words. Reused from call to call. */
public final class KeyPositions {
    private int[] positions = new int[16];
    private int size;

    void clear() {
        size = 0;
    }

    public int size() {
        return size;
    }

    public int at(int index) {
        return positions[index];
    }

    public void add(int position) {
        if (size == positions.length) {
            positions = Arrays.copyOf(positions, size * 2);
        }
        positions[size++] = position;
    }

    void addAll(Call call, KeySpec spec) {
        int begin = beginOf(call, spec.begin());
        if (begin <= 0 || begin >= call.size()) {
            return;
        }
        if (spec.find() instanceof Find.Range range) {
            addRange(call, begin, range);
        } else if (spec.find() instanceof Find.Counted counted) {
            addCounted(call, begin, counted);
        }
    }

    private void addRange(Call call, int begin, Find.Range range) {
        int last = range.last() >= 0 ? begin + range.last() : lastFromEnd(call, begin, range);
        for (int i = begin; i <= last && i < call.size(); i += range.step()) {
            add(i);
        }
    }

    private static int lastFromEnd(Call call, int begin, Find.Range range) {
        return range.limit() <= 1
                ? call.size() + range.last()
                : begin + (call.size() - begin) / range.limit() + range.last();
    }

    private void addCounted(Call call, int begin, Find.Counted counted) {
        int countAt = begin + counted.countIndex();
        int first = begin + counted.first();
        long count = countAt < call.size() ? call.integerOr(countAt, 0) : 0;
        if (count > (call.size() - first) / counted.step()) {
            return;
        }
        for (long i = 0; i < count; i++) {
            add(first + (int) i * counted.step());
        }
    }

    private static int beginOf(Call call, Begin begin) {
        if (begin instanceof Begin.Index index) {
            return index.index();
        }
        if (begin instanceof Begin.Keyword keyword) {
            int step = keyword.from() > 0 ? 1 : -1;
            int from = keyword.from() > 0 ? keyword.from() : call.size() + keyword.from();
            for (int i = from; i > 0 && i < call.size(); i += step) {
                if (call.is(i, keyword.keyword())) {
                    return i + 1;
                }
            }
        }
        return -1;
    }
}

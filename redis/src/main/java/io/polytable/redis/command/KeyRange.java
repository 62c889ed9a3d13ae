package io.polytable.redis.command;

import io.polytable.redis.command.KeySpec.Begin;
import io.polytable.redis.command.KeySpec.Find;
import java.util.List;

/** Which words are keys, as clients knew it before there were rules: from first to last, each step-th. */
record KeyRange(int first, int last, int step) {
    private static final KeyRange NONE = new KeyRange(0, 0, 0);

    /** One range as it is; of several the span of those that follow one another; rules of other kinds do not count. */
    static KeyRange of(List<KeySpec> specs) {
        if (specs.size() == 1 && Keys.isRange(specs.get(0))) {
            return of(specs.get(0));
        }
        KeyRange span = NONE;
        for (KeySpec spec : specs) {
            if (Keys.isRange(spec)) {
                KeyRange next = of(spec);
                boolean follows = span.last == 0 || span.last == next.first - 1;
                if (next.step == 1 && follows) {
                    span = new KeyRange(span.first == 0 ? next.first : span.first, next.last, 1);
                }
            }
        }
        return span;
    }

    private static KeyRange of(KeySpec spec) {
        int first = ((Begin.Index) spec.begin()).index();
        Find.Range range = (Find.Range) spec.find();
        return new KeyRange(first, range.last() >= 0 ? first + range.last() : range.last(), range.step());
    }
}

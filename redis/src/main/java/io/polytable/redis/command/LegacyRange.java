package io.polytable.redis.command;

import io.polytable.redis.command.KeySpec.Begin;
import io.polytable.redis.command.KeySpec.Find;
import java.util.List;

/** The first key, last key and step of a command: how COMMAND reported keys before key specifications. */
public record LegacyRange(int first, int last, int step) {
    private static final LegacyRange NONE = new LegacyRange(0, 0, 0);

    /** A single range as it is, else the span of adjacent ranges; other specifications do not count. */
    static LegacyRange of(List<KeySpec> specs) {
        if (specs.size() == 1 && KeySpecs.isRange(specs.get(0))) {
            return of(specs.get(0));
        }
        LegacyRange span = NONE;
        for (KeySpec spec : specs) {
            if (KeySpecs.isRange(spec)) {
                LegacyRange next = of(spec);
                boolean follows = span.last == 0 || span.last == next.first - 1;
                if (next.step == 1 && follows) {
                    span = new LegacyRange(span.first == 0 ? next.first : span.first, next.last, 1);
                }
            }
        }
        return span;
    }

    private static LegacyRange of(KeySpec spec) {
        int first = ((Begin.Index) spec.begin()).index();
        Find.Range range = (Find.Range) spec.find();
        return new LegacyRange(first, range.last() >= 0 ? first + range.last() : range.last(), range.step());
    }
}

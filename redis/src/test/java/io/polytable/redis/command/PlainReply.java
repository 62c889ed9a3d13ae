package io.polytable.redis.command;

import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.OptionalDouble;

/** Replies as plain Java values that can be compared, whichever server and protocol they came from. */
public final class PlainReply {
    public static final String ABSENT = "absent";
    static final String ABSENT_ARRAY = "absent array";

    private PlainReply() {}

    public static Object of(Reply reply, int protocol) {
        if (reply instanceof Reply.Failure failure) {
            return "error: " + failure.error().line();
        }
        if (reply instanceof Reply.Int number) {
            return number.value();
        }
        if (reply instanceof Reply.Bulk bulk) {
            return bulk.value();
        }
        if (reply instanceof Reply.Simple simple) {
            return simple.text();
        }
        if (reply instanceof Reply.DoubleOf number) {
            return number.value();
        }
        if (reply instanceof Reply.Absent) {
            return ABSENT;
        }
        if (reply instanceof Reply.AbsentArray) {
            return protocol == 2 ? ABSENT_ARRAY : ABSENT;
        }
        if (reply instanceof Reply.Many many) {
            return many.items().stream().map(item -> of(item, protocol)).toList();
        }
        if (reply instanceof Reply.Bulks bulks) {
            return List.copyOf(bulks.values());
        }
        if (reply instanceof Reply.MapOf map) {
            return map.namesAndValues().stream().map(item -> of(item, protocol)).toList();
        }
        if (reply instanceof Reply.SetOf set) {
            return set.items().stream().map(item -> of(item, protocol)).toList();
        }
        if (reply instanceof Reply.BigNumber big) {
            return Bytes.utf8(big.digits());
        }
        if (reply instanceof Reply.Verbatim verbatim) {
            return verbatim.text();
        }
        if (reply instanceof Reply.Bool bool) {
            return bool.value() ? 1L : 0L;
        }
        return reply.toString();
    }

    static Object ofDouble(String text) {
        return Numbers.parseDouble(Bytes.utf8(text)).orElse(Double.NaN);
    }

    /** Equal, but for doubles, which RESP2 has as texts and which two versions of Redis write with other digits. */
    public static boolean same(Object ours, Object theirs) {
        if (ours instanceof List<?> some && theirs instanceof List<?> others) {
            return some.size() == others.size() && sameItems(some, others);
        }
        if (ours instanceof Double number && theirs instanceof Bytes text) {
            return isDouble(text, number);
        }
        if (ours instanceof Bytes text && theirs instanceof Bytes other && !text.equals(other)) {
            OptionalDouble number = Numbers.parseDouble(text);
            return number.isPresent() && isDouble(other, number.getAsDouble());
        }
        return ours.equals(theirs);
    }

    private static boolean sameItems(List<?> some, List<?> others) {
        for (int i = 0; i < some.size(); i++) {
            if (!same(some.get(i), others.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDouble(Bytes text, double number) {
        OptionalDouble parsed = Numbers.parseDouble(text);
        return parsed.isPresent() && Double.doubleToLongBits(parsed.getAsDouble()) == Double.doubleToLongBits(number);
    }
}

package io.polytable.redis.command.bitmap;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.bitmap.BitField;
import io.polytable.redis.model.bitmap.Bitmaps;
import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Parses the steps of BITFIELD, and bit offsets. */
final class BitFieldSteps {
    private final Call call;
    private final long bytesMax;
    private final List<Bitmaps.Step> steps = new ArrayList<>();
    private BitField.Overflow overflow = BitField.Overflow.WRAP;

    private BitFieldSteps(Call call, long bytesMax) {
        this.call = call;
        this.bytesMax = bytesMax;
    }

    static List<Bitmaps.Step> read(Call call, long bytesMax, boolean readOnly) {
        BitFieldSteps parsed = new BitFieldSteps(call, bytesMax);
        for (int at = 2; at < call.size(); ) {
            at += parsed.readStep(at);
        }
        if (readOnly && !parsed.steps.stream().allMatch(Bitmaps.Step.Get.class::isInstance)) {
            throw new RedisError("BITFIELD_RO only supports the GET subcommand");
        }
        return parsed.steps;
    }

    /** Parses one step; returns its number of words. */
    private int readStep(int at) {
        int behind = call.size() - at - 1;
        if (call.is(at, "get") && behind >= 2) {
            BitField field = field(at + 1);
            steps.add(new Bitmaps.Step.Get(field, offset(call, at + 2, bytesMax, field.bits())));
            return 3;
        }
        if (call.is(at, "overflow") && behind >= 1) {
            overflow = overflow(at + 1);
            return 2;
        }
        boolean sets = call.is(at, "set");
        if ((!sets && !call.is(at, "incrby")) || behind < 3) {
            throw RedisError.SYNTAX;
        }
        BitField field = field(at + 1);
        long offset = offset(call, at + 2, bytesMax, field.bits());
        long value = call.integer(at + 3);
        steps.add(
                sets
                        ? new Bitmaps.Step.Set(field, offset, value, overflow)
                        : new Bitmaps.Step.Increment(field, offset, value, overflow));
        return 4;
    }

    private BitField.Overflow overflow(int at) {
        if (call.is(at, "wrap")) {
            return BitField.Overflow.WRAP;
        }
        if (call.is(at, "sat")) {
            return BitField.Overflow.SATURATE;
        }
        if (call.is(at, "fail")) {
            return BitField.Overflow.FAIL;
        }
        throw new RedisError("Invalid OVERFLOW type specified");
    }

    private BitField field(int at) {
        Bytes word = call.word(at);
        boolean signed = !word.isEmpty() && word.at(0) == 'i';
        if (!signed && (word.isEmpty() || word.at(0) != 'u')) {
            throw badType();
        }
        OptionalLong bits = Numbers.parseLong(word.from(1));
        if (bits.isEmpty() || bits.getAsLong() < 1 || bits.getAsLong() > (signed ? Long.SIZE : Long.SIZE - 1)) {
            throw badType();
        }
        return new BitField(signed, (int) bits.getAsLong());
    }

    private static RedisError badType() {
        return new RedisError(
                "Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.");
    }

    /** Parses an offset in bits; with a leading {@code #} it counts fields of the given width. */
    static long offset(Call call, int at, long bytesMax, int bits) {
        Bytes word = call.word(at);
        boolean counts = bits > 0 && !word.isEmpty() && word.at(0) == '#';
        long number = Numbers.parseLong(counts ? word.from(1) : word).orElseThrow(Bitmaps::offsetOutOfRange);
        if (counts) {
            number *= bits;
        }
        if (number < 0 || number >>> 3 >= bytesMax) {
            throw Bitmaps.offsetOutOfRange();
        }
        return number;
    }
}

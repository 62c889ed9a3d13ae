package io.polytable.redis.command.bitmap;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.OW;
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeyFlag.UPDATE;
import static io.polytable.redis.command.KeyFlag.VARIABLE_FLAGS;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.bitmap.Bitmaps;
import io.polytable.redis.model.bitmap.Bitmaps.Operation;
import io.polytable.redis.model.bitmap.Bitmaps.Part;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** The bitmap family. */
public final class BitmapCommands implements CommandFamily {
    private static final KeySpecs TARGET_AND_SOURCES =
            KeySpecs.range(2, 2, 1).as(OW, UPDATE).and(KeySpecs.range(3, -1, 1).as(RO, ACCESS));
    private static final KeySpecs FIELDS = FIRST.as(RW, ACCESS, UPDATE, VARIABLE_FLAGS)
            .note("This command allows both access and modification of the key")
            .flaggedBy(BitmapCommands::fieldFlags);
    private final Bitmaps bitmaps = new Bitmaps();
    private final LongSupplier bytesMax;

    /** @param bytesMax the maximum length of a string, read for each call */
    public BitmapCommands(LongSupplier bytesMax) {
        this.bytesMax = bytesMax;
    }

    @Override
    public Group group() {
        return Group.BITMAP;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                reads("bitcount", atLeast(2), FIRST, this::bitCount),
                writes("bitfield", atLeast(2), FIELDS, call -> fields(call, false))
                        .with(DENYOOM),
                reads("bitfield_ro", atLeast(2), FIRST, call -> fields(call, true))
                        .with(FAST),
                writes("bitop", atLeast(4), TARGET_AND_SOURCES, this::bitOp).with(DENYOOM),
                reads("bitpos", atLeast(3), FIRST, this::bitPos),
                reads("getbit", exactly(3), FIRST, this::getBit).with(FAST),
                writes("setbit", exactly(4), FIRST.as(RW, ACCESS, UPDATE), this::setBit)
                        .with(DENYOOM));
    }

    /** GET steps only read. A call with a syntax error counts as writing, as in Redis. */
    private static Set<KeyFlag> fieldFlags(Call call) {
        for (int at = 2; at < call.size(); at++) {
            int behind = call.size() - at - 1;
            if (call.is(at, "get") && behind >= 2) {
                at += 2;
            } else if ((call.is(at, "set") || call.is(at, "incrby")) && behind >= 3) {
                return Set.of(RW, ACCESS, UPDATE);
            } else if (call.is(at, "overflow") && behind >= 1) {
                at++;
            } else {
                return Set.of(RW, ACCESS, UPDATE);
            }
        }
        return Set.of(RO, ACCESS);
    }

    private Reply getBit(Call call) {
        long offset = BitFieldSteps.offset(call, 2, bytesMax.getAsLong(), 0);
        return Reply.of(bitmaps.get(call.space(), call.key(1), offset));
    }

    private Reply setBit(Call call) {
        long offset = BitFieldSteps.offset(call, 2, bytesMax.getAsLong(), 0);
        long bit = call.integerOr(3, -1);
        if (bit != 0 && bit != 1) {
            throw new RedisError("bit is not an integer or out of range");
        }
        return Reply.of(bitmaps.set(call.space(), call.key(1), offset, (int) bit));
    }

    private Reply bitCount(Call call) {
        return Reply.of(bitmaps.count(call.space(), call.key(1), () -> countedPart(call)));
    }

    private static Part countedPart(Call call) {
        if (call.size() == 2) {
            return Part.WHOLE;
        }
        if (call.size() != 4 && call.size() != 5) {
            throw RedisError.SYNTAX;
        }
        Part inBytes = new Part(call.integer(2), call.integer(3), false);
        // As in Redis, such a part is answered before the unit is looked at.
        boolean named = call.size() == 5 && !inBytes.isBackwards();
        return named ? new Part(inBytes.first(), inBytes.last(), inBits(call, 4)) : inBytes;
    }

    private static boolean inBits(Call call, int at) {
        if (call.is(at, "bit")) {
            return true;
        }
        if (call.is(at, "byte")) {
            return false;
        }
        throw RedisError.SYNTAX;
    }

    private Reply bitPos(Call call) {
        long bit = call.integer(2);
        if (bit != 0 && bit != 1) {
            throw new RedisError("The bit argument must be 1 or 0.");
        }
        boolean hasEnd = call.size() > 4;
        return Reply.of(bitmaps.find(call.space(), call.key(1), (int) bit, () -> searchedPart(call), hasEnd));
    }

    private static Part searchedPart(Call call) {
        if (call.size() > 6) {
            throw RedisError.SYNTAX;
        }
        long first = call.size() > 3 ? call.integer(3) : 0;
        boolean inBits = call.size() == 6 && inBits(call, 5);
        long last = call.size() > 4 ? call.integer(4) : -1;
        return new Part(first, last, inBits);
    }

    private Reply bitOp(Call call) {
        Operation operation = operation(call);
        if (operation == Operation.NOT && call.size() != 4) {
            throw new RedisError("BITOP NOT must be called with a single source key.");
        }
        return Reply.of(bitmaps.combine(call.space(), operation, call.key(2), call.wordsFrom(3)));
    }

    private static Operation operation(Call call) {
        for (Operation operation : Operation.values()) {
            if (call.is(1, operation.name())) {
                return operation;
            }
        }
        throw RedisError.SYNTAX;
    }

    private Reply fields(Call call, boolean readOnly) {
        List<Bitmaps.Step> steps = BitFieldSteps.read(call, bytesMax.getAsLong(), readOnly);
        return Reply.many(bitmaps.fields(call.space(), call.key(1), steps).stream()
                .map(answer -> answer.isPresent() ? Reply.of(answer.getAsLong()) : Reply.ABSENT)
                .toList());
    }
}

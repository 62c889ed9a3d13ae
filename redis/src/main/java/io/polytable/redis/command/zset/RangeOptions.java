package io.polytable.redis.command.zset;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.zset.ElementRange;
import io.polytable.redis.model.zset.Selection;
import io.polytable.table.Direction;
import org.jspecify.annotations.Nullable;

/**
 * Parses the arguments of ZRANGE and its relatives: two bounds, then options. The older commands have direction and
 * kind of range in their name and do not accept them as options.
 */
final class RangeOptions {
    /** The kind of the bounds. */
    enum By {
        RANK,
        SCORE,
        MEMBER
    }

    private final Call call;
    private final boolean stores;
    private @Nullable By by;
    private @Nullable Direction direction;
    private boolean withScores;
    private long offset;
    private long limit = -1;

    private RangeOptions(Call call, boolean stores, @Nullable By by, @Nullable Direction direction) {
        this.call = call;
        this.stores = stores;
        this.by = by;
        this.direction = direction;
    }

    /** The parsed arguments. */
    record Asked(Selection selection, boolean withScores) {}

    /** ZRANGE, where options choose kind and direction. */
    static Asked read(Call call) {
        return new RangeOptions(call, false, null, null).readFrom(2);
    }

    /** ZRANGESTORE: one more key, and no WITHSCORES. */
    static Asked readStore(Call call) {
        return new RangeOptions(call, true, null, null).readFrom(3);
    }

    /** The older commands, whose name fixes kind and direction. */
    static Asked read(Call call, By by, Direction direction) {
        return new RangeOptions(call, false, by, direction).readFrom(2);
    }

    private Asked readFrom(int ends) {
        boolean kindIsFree = by == null;
        boolean directionIsFree = direction == null;
        for (int i = ends + 2; i < call.size(); i++) {
            if (!stores && call.is(i, "withscores")) {
                withScores = true;
            } else if (call.is(i, "limit") && i + 2 < call.size()) {
                offset = call.integer(i + 1);
                limit = call.integer(i + 2);
                i += 2;
            } else if (directionIsFree && call.is(i, "rev")) {
                direction = Direction.REVERSE;
                directionIsFree = false;
            } else if (kindIsFree && call.is(i, "bylex")) {
                by = By.MEMBER;
                kindIsFree = false;
            } else if (kindIsFree && call.is(i, "byscore")) {
                by = By.SCORE;
                kindIsFree = false;
            } else {
                throw RedisError.SYNTAX;
            }
        }
        return asked(ends, by == null ? By.RANK : by, direction == null ? Direction.FORWARD : direction);
    }

    private Asked asked(int ends, By kind, Direction order) {
        if (limit != -1 && kind == By.RANK) {
            throw new RedisError("syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
        }
        if (withScores && kind == By.MEMBER) {
            throw new RedisError("syntax error, WITHSCORES not supported in combination with BYLEX");
        }
        ElementRange range = range(ends, kind, order);
        Selection selection =
                kind == By.RANK ? Selection.all(range, order) : new Selection(range, order, offset, limit);
        return new Asked(selection, withScores);
    }

    /** In reverse, the upper bound of scores and members comes first. */
    private ElementRange range(int ends, By kind, Direction order) {
        int low = order == Direction.FORWARD ? ends : ends + 1;
        int high = order == Direction.FORWARD ? ends + 1 : ends;
        return switch (kind) {
            case RANK -> RangeBounds.ranks(call, ends, ends + 1);
            case SCORE -> RangeBounds.scores(call, low, high);
            case MEMBER -> RangeBounds.members(call, low, high);
        };
    }
}

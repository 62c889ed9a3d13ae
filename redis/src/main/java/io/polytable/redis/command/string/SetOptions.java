package io.polytable.redis.command.string;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.string.Strings.Condition;
import io.polytable.redis.model.string.Strings.SetRules;

/** Parses the options of SET and GETEX: the condition and the deadline. */
final class SetOptions {
    /** The spellings of a deadline. */
    enum Unit {
        EX(true, true),
        PX(false, true),
        EXAT(true, false),
        PXAT(false, false);

        private final boolean inSeconds;
        private final boolean fromNow;

        Unit(boolean inSeconds, boolean fromNow) {
            this.inSeconds = inSeconds;
            this.fromNow = fromNow;
        }
    }

    /** What happens to the deadline. */
    enum Deadline {
        /** Not specified: SET removes it, GETEX keeps it. */
        UNSAID,
        KEEP,
        REMOVE,
        GIVEN
    }

    private static final Unit[] UNITS = Unit.values();

    private Condition condition = Condition.ALWAYS;
    private boolean get;
    private Deadline deadline = Deadline.UNSAID;
    private Unit unit = Unit.EX;
    private int timeWord;

    private SetOptions() {}

    static SetOptions ofSet(Call call) {
        SetOptions options = new SetOptions();
        for (int i = 3; i < call.size(); i++) {
            if (!options.takeSetWord(call, i)) {
                i = options.takeTime(call, i);
            }
        }
        return options;
    }

    static SetOptions ofGetEx(Call call) {
        SetOptions options = new SetOptions();
        for (int i = 2; i < call.size(); i++) {
            if (call.is(i, "persist")) {
                options.take(Deadline.REMOVE);
            } else {
                i = options.takeTime(call, i);
            }
        }
        return options;
    }

    private boolean takeSetWord(Call call, int index) {
        if (call.is(index, "nx")) {
            take(Condition.IF_ABSENT);
        } else if (call.is(index, "xx")) {
            take(Condition.IF_PRESENT);
        } else if (call.is(index, "get")) {
            get = true;
        } else if (call.is(index, "keepttl")) {
            take(Deadline.KEEP);
        } else {
            return false;
        }
        return true;
    }

    /** Repeating an option is allowed, contradicting it is not. */
    private void take(Condition said) {
        if (condition != Condition.ALWAYS && condition != said) {
            throw RedisError.SYNTAX;
        }
        condition = said;
    }

    private void take(Deadline said) {
        if (deadline != Deadline.UNSAID && deadline != said) {
            throw RedisError.SYNTAX;
        }
        deadline = said;
    }

    /** Returns the index of the last word it consumed. */
    private int takeTime(Call call, int index) {
        for (Unit each : UNITS) {
            if (call.is(index, each.name())) {
                boolean another = deadline == Deadline.GIVEN && unit != each;
                if (another || index + 1 == call.size()) {
                    throw RedisError.SYNTAX;
                }
                take(Deadline.GIVEN);
                unit = each;
                timeWord = index + 1;
                return timeWord;
            }
        }
        throw RedisError.SYNTAX;
    }

    Deadline deadline() {
        return deadline;
    }

    boolean tellsOld() {
        return get;
    }

    SetRules rules(Call call) {
        long expireAt = deadline == Deadline.GIVEN ? expireAt(call) : Header.NEVER;
        return new SetRules(condition, get, deadline == Deadline.KEEP, expireAt);
    }

    /**
     * The given deadline.
     *
     * @throws RedisError when the word is not an integer, or the deadline is not after 1970
     */
    long expireAt(Call call) {
        return expireAt(call, timeWord, unit);
    }

    static long expireAt(Call call, int index, Unit unit) {
        long time = call.integer(index);
        if (time <= 0 || (unit.inSeconds && time > Long.MAX_VALUE / 1000)) {
            throw invalidTime(call);
        }
        long millis = unit.inSeconds ? time * 1000 : time;
        long moment = unit.fromNow ? call.nowMillis() + millis : millis;
        if (moment <= 0) {
            throw invalidTime(call);
        }
        return moment;
    }

    private static RedisError invalidTime(Call call) {
        return new RedisError("invalid expire time in '" + call.command().fullName() + "' command");
    }
}

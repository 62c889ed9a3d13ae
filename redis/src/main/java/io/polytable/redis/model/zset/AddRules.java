package io.polytable.redis.model.zset;

/**
 * The members that ZADD may change.
 *
 * @param absent whether members that do not exist are added
 * @param present whether members that exist get another score
 * @param higher with {@code present}: only to a higher score
 * @param lower with {@code present}: only to a lower score
 * @param increment whether the given scores are added to the present ones
 */
public record AddRules(boolean absent, boolean present, boolean higher, boolean lower, boolean increment) {
    public static final AddRules ANY = new AddRules(true, true, false, false, false);
    public static final AddRules INCREMENT = new AddRules(true, true, false, false, true);

    boolean allows(double from, double to) {
        return present && !(higher && to <= from) && !(lower && to >= from);
    }
}

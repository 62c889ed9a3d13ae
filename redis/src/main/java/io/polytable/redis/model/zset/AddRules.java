package io.polytable.redis.model.zset;

/**
 * What ZADD may change.
 *
 * @param absent whether members that are not there are added
 * @param present whether members that are there get another score
 * @param higher with {@code present}: only to a higher score
 * @param lower with {@code present}: only to a lower score
 * @param increment the scores given are added to those there
 */
public record AddRules(boolean absent, boolean present, boolean higher, boolean lower, boolean increment) {
    public static final AddRules ANY = new AddRules(true, true, false, false, false);
    public static final AddRules INCREMENT = new AddRules(true, true, false, false, true);

    boolean allows(double from, double to) {
        return present && !(higher && to <= from) && !(lower && to >= from);
    }
}

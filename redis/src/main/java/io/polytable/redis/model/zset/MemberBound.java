package io.polytable.redis.model.zset;

import io.polytable.redis.model.order.SortKeys;
import io.polytable.table.Bytes;

/**
 * An end of a range of members.
 *
 * @param side before all members, behind all of them, or at the one named
 */
public record MemberBound(Side side, Bytes member, boolean exclusive) {
    public static final MemberBound LOWEST = new MemberBound(Side.LOWEST, Bytes.EMPTY, true);
    public static final MemberBound HIGHEST = new MemberBound(Side.HIGHEST, Bytes.EMPTY, true);

    /** Where a bound is. */
    public enum Side {
        LOWEST,
        MEMBER,
        HIGHEST
    }

    public static MemberBound at(Bytes member, boolean exclusive) {
        return new MemberBound(Side.MEMBER, member, exclusive);
    }

    boolean isAtOrBefore(Bytes other) {
        return switch (side) {
            case LOWEST -> true;
            case MEMBER -> exclusive ? member.compareTo(other) < 0 : member.compareTo(other) <= 0;
            case HIGHEST -> false;
        };
    }

    boolean isAtOrBehind(Bytes other) {
        return switch (side) {
            case LOWEST -> false;
            case MEMBER -> exclusive ? member.compareTo(other) > 0 : member.compareTo(other) >= 0;
            case HIGHEST -> true;
        };
    }

    /** Where the range begins among the elements of this score. */
    Bytes asLower(double score) {
        return switch (side) {
            case LOWEST -> SortKeys.before(score);
            case MEMBER -> exclusive ? SortKeys.after(SortKeys.of(score, member)) : SortKeys.of(score, member);
            case HIGHEST -> SortKeys.behind(score);
        };
    }

    /** Where the range ends among the elements of this score; not in it itself. */
    Bytes asUpper(double score) {
        return switch (side) {
            case LOWEST -> SortKeys.before(score);
            case MEMBER -> exclusive ? SortKeys.of(score, member) : SortKeys.after(SortKeys.of(score, member));
            case HIGHEST -> SortKeys.behind(score);
        };
    }
}

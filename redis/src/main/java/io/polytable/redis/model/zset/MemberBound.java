package io.polytable.redis.model.zset;

import io.polytable.redis.model.order.SortKeys;
import io.polytable.table.Bytes;

/**
 * An end of a range of members.
 *
 * @param side before all members, after all of them, or at the named one
 */
public record MemberBound(Side side, Bytes member, boolean exclusive) {
    public static final MemberBound LOWEST = new MemberBound(Side.LOWEST, Bytes.EMPTY, true);
    public static final MemberBound HIGHEST = new MemberBound(Side.HIGHEST, Bytes.EMPTY, true);

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

    /** The start of the range among the elements of this score. */
    Bytes asLower(double score) {
        return switch (side) {
            case LOWEST -> SortKeys.before(score);
            case MEMBER -> exclusive ? SortKeys.after(SortKeys.of(score, member)) : SortKeys.of(score, member);
            case HIGHEST -> SortKeys.behind(score);
        };
    }

    /** The end of the range among the elements of this score, exclusive. */
    Bytes asUpper(double score) {
        return switch (side) {
            case LOWEST -> SortKeys.before(score);
            case MEMBER -> exclusive ? SortKeys.of(score, member) : SortKeys.after(SortKeys.of(score, member));
            case HIGHEST -> SortKeys.behind(score);
        };
    }
}

package io.polytable.redis.model.zset;

/** Which elements of a sorted set are meant: by their rank, their score or, where scores are equal, their member. */
public sealed interface ElementRange {
    /** Both ends are in it; negative ranks count from the last element, which is -1. */
    record Ranks(long first, long last) implements ElementRange {}

    record Scores(ScoreBound min, ScoreBound max) implements ElementRange {}

    record Members(MemberBound min, MemberBound max) implements ElementRange {}
}

package io.polytable.redis.model.zset;

/** A range of elements of a sorted set: by rank, by score or, where scores are equal, by member. */
public sealed interface ElementRange {
    /** Both ends are included; negative ranks count from the last element, which is -1. */
    record Ranks(long first, long last) implements ElementRange {}

    record Scores(ScoreBound min, ScoreBound max) implements ElementRange {}

    record Members(MemberBound min, MemberBound max) implements ElementRange {}
}

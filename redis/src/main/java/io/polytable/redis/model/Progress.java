package io.polytable.redis.model;

/** How far a check or a repair is. */
@FunctionalInterface
public interface Progress {
    Progress NONE = (done, total) -> {};

    /** Called now and then; in keys and collections, the total being what is known at the start. */
    void at(long done, long total);
}

package io.polytable.redis.model.upkeep;

/** How far a check or a repair is. */
@FunctionalInterface
public interface CheckProgress {
    CheckProgress NONE = (done, total) -> {};

    /** Called now and then; in keys and elements, the total being what was there at the start. */
    void at(long done, long total);
}

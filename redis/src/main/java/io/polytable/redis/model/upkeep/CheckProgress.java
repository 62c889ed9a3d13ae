package io.polytable.redis.model.upkeep;

/** The progress of a check or a repair. */
@FunctionalInterface
public interface CheckProgress {
    CheckProgress NONE = (done, total) -> {};

    /** Called now and then; in keys and elements, where the total is the number at the start. */
    void at(long done, long total);
}

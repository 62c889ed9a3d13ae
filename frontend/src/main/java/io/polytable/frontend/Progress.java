package io.polytable.frontend;

/** Receives how much of some work is done, of about how much. It may throw to end work that says so. */
@FunctionalInterface
public interface Progress {
    Progress NONE = (done, total) -> {};

    void at(long done, long total);
}

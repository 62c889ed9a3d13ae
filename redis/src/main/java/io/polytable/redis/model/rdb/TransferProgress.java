package io.polytable.redis.model.rdb;

/** Receives how much of an import or export is done, of about how much. It may throw to end the work. */
@FunctionalInterface
public interface TransferProgress {
    TransferProgress NONE = (done, total) -> {};

    void at(long done, long total);
}

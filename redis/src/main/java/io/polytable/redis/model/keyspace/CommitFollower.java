package io.polytable.redis.model.keyspace;

/** Sees every commit of keys, whoever makes it, on the committing thread with the stripes of its keys held. */
public interface CommitFollower {
    /**
     * Looks at what the unit will commit: its rows ({@link UnitOfWork#writes()}), and the owners of changed elements
     * ({@link UnitOfWork#owner}). Must not fail.
     *
     * @return what to do once the commit has succeeded
     */
    Runnable beforeCommit(UnitOfWork unit);
}

package io.polytable.sql.tier;

import io.polytable.sql.tier.job.JobQueue;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Lets backups and jobs exclude each other. While a backup holds the files, no job deletes any; while the store is
 * captured, no job commits manifests, so that the files named after the capture are those that the capture names.
 */
final class FileHold {
    private final ReadWriteLock publishing = new ReentrantReadWriteLock();
    private int holders;
    private boolean deleting;

    /** Keeps all files until {@link #release}; waits for a job that is deleting some. */
    synchronized void hold() {
        boolean interrupted = false;
        while (deleting) {
            try {
                wait();
            } catch (InterruptedException stopping) {
                interrupted = true;
            }
        }
        holders++;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void release() {
        holders--;
    }

    /**
     * Runs a job that deletes files.
     *
     * @throws JobQueue.Postponed while the files are held
     */
    <T> T deleting(Supplier<T> job) {
        synchronized (this) {
            if (holders > 0) {
                throw new JobQueue.Postponed("a backup holds the files");
            }
            deleting = true;
        }
        try {
            return job.get();
        } finally {
            synchronized (this) {
                deleting = false;
                notifyAll();
            }
        }
    }

    /** Runs a commit of manifests. */
    void publishing(Runnable commit) {
        publishing.readLock().lock();
        try {
            commit.run();
        } finally {
            publishing.readLock().unlock();
        }
    }

    /** Runs an action while no manifest is committed. */
    <T> T withoutPublishing(Supplier<T> action) {
        publishing.writeLock().lock();
        try {
            return action.get();
        } finally {
            publishing.writeLock().unlock();
        }
    }
}

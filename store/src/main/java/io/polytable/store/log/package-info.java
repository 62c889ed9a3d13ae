/**
 * The commit log, a write-ahead log that defines the order of all commits.
 *
 * <p>A <em>record</em> is one commit; its position is its number, dense from 1. Records are written in
 * <em>batches</em>: everything committed since the last write goes out at once. The bytes are laid out once, in the
 * engine's memory; the same bytes serve reads, applying and the log's write ({@link
 * io.polytable.store.log.RecordBatchFormat}).
 *
 * <p>{@link io.polytable.store.log.CommitLog} is the contract, and {@code CommitLogContract} its tests for every
 * implementation. {@link io.polytable.store.log.file} keeps a log in a directory, on the files of {@link
 * io.polytable.store.log.disk}.
 */
@NullMarked
package io.polytable.store.log;

import org.jspecify.annotations.NullMarked;

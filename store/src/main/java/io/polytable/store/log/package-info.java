/**
 * The commit log: the order of all commits, kept.
 *
 * <p>A <em>record</em> is one commit; its position is its number, dense from 1. Records travel in <em>batches</em>: all
 * that was committed since the last write goes out in one. The bytes are laid out once, in the engine's memory, and the
 * same bytes are read from, applied and written ({@link io.polytable.store.log.RecordBatchFormat}).
 *
 * <p>{@link io.polytable.store.log.CommitLog} is what the engine needs; its tests, {@code CommitLogContract}, are for
 * every log. {@link io.polytable.store.log.file} keeps one in a directory, on the files of {@link io.polytable.store.log.disk}.
 */
@NullMarked
package io.polytable.store.log;

import org.jspecify.annotations.NullMarked;

/**
 * The data directory: layout, process lock, durability of its files.
 *
 * <ul>
 *   <li>{@link io.polytable.store.directory.StoreDirectory}: the directory of one engine, with its lock and format
 *       mark.
 *   <li>{@link io.polytable.store.directory.ProcessLock}: a lock file that keeps other processes out.
 *   <li>{@link io.polytable.store.directory.PartitionDirectories}: the directories of a store of several partitions.
 *   <li>{@link io.polytable.store.directory.DiskSync}: fsync of files, directories and whole trees.
 * </ul>
 */
@NullMarked
package io.polytable.store.directory;

import org.jspecify.annotations.NullMarked;

/**
 * The data directory: what lies where in it, which process holds it, and how its files get to the disk for certain.
 *
 * <ul>
 *   <li>{@link io.polytable.store.directory.StoreDirectory}: the directory of one engine, with the lock and the mark of its
 *       format.
 *   <li>{@link io.polytable.store.directory.GroupDirectories}: the directories of a store of several groups.
 *   <li>{@link io.polytable.store.directory.DiskSync}: fsync of files, names and whole trees.
 * </ul>
 */
@NullMarked
package io.polytable.store.directory;

import org.jspecify.annotations.NullMarked;

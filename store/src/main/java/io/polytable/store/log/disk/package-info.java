/**
 * The file system as a log in files uses it: {@link io.polytable.store.log.disk.LogFiles} is a directory,
 * {@link io.polytable.store.log.disk.LogFile} an open file, and {@link io.polytable.store.log.disk.DiskFiles} the real ones.
 * Tests put others in their place, which fail, fill up or lose power.
 */
@NullMarked
package io.polytable.store.log.disk;

import org.jspecify.annotations.NullMarked;

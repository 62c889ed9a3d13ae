/**
 * The file system as the file log uses it: {@link io.polytable.store.log.disk.LogFiles} is a directory, {@link
 * io.polytable.store.log.disk.LogFile} an open file, and {@link io.polytable.store.log.disk.DiskFiles} the real
 * implementation. Tests substitute implementations that fail, fill up or lose power.
 */
@NullMarked
package io.polytable.store.log.disk;

import org.jspecify.annotations.NullMarked;

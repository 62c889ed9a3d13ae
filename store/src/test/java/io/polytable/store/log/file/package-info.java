/**
 * The log in files, tested on a real disk and on {@link io.polytable.store.log.file.MemoryFiles}, which fail on demand and
 * lose power.
 */
@NullMarked
package io.polytable.store.log.file;

import org.jspecify.annotations.NullMarked;

/**
 * The commit log's contract, to be run on every implementation, and the tests of the one on files: on a real disk, and
 * on {@link io.polytable.store.log.MemoryFiles}, which fail on demand and lose power.
 */
@NullMarked
package io.polytable.store.log;

import org.jspecify.annotations.NullMarked;

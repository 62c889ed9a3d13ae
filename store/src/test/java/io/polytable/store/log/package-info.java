/** The commit log's contract as tests, to be run on every implementation, and records to run them with. */
@NullMarked
package io.polytable.store.log;

import org.jspecify.annotations.NullMarked;

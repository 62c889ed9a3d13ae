/**
 * Collections that are arrays of numbers, without an object for each element: what rows in memory are found and sorted by.
 * There may be millions of entries, which must cost neither the collector nor a budget more than their bits. Each says how
 * many bytes it takes, and which of its methods may run beside a writer.
 */
@NullMarked
package io.polytable.store.memory.flat;

import org.jspecify.annotations.NullMarked;

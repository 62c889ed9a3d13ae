/**
 * The memory of the process, divided among those who use it.
 *
 * <p>{@link io.polytable.frontend.limit.MemoryPlan} assigns every share of the heap in bytes and refuses shares whose sum
 * exceeds what may be planned. {@link io.polytable.frontend.limit.Budget} is what a protocol is handed: it takes bytes
 * before it allocates, and answers with its protocol's error when it gets none. Only this package asks for the size of the
 * heap.
 */
@NullMarked
package io.polytable.frontend.limit;

import org.jspecify.annotations.NullMarked;

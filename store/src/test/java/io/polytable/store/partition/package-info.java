/** What is particular to a store of several partitions, and the contract on one. */
@NullMarked
package io.polytable.store.partition;

import org.jspecify.annotations.NullMarked;

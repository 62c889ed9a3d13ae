/** What is particular to a store of several groups, and the contract on one. */
@NullMarked
package io.polytable.store.group;

import org.jspecify.annotations.NullMarked;

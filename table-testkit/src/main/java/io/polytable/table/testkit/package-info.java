/** What proves that a store keeps the contract. */
@NullMarked
package io.polytable.table.testkit;

import org.jspecify.annotations.NullMarked;

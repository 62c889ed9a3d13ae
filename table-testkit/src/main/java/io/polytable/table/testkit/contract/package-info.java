/**
 * The contract of {@link io.polytable.table.TableStore} as tests.
 *
 * <p>A store's test class extends {@link io.polytable.table.testkit.contract.TableStoreContract} and says how the store is
 * opened. The parts are interfaces with default test methods, one for each subject, so that one class runs them all and
 * each stays short. What a store does not declare as a {@link io.polytable.table.Capability} is not asked of it.
 *
 * <p>The parts call {@code betweenSteps()} wherever something may happen that nobody must notice. A store runs the
 * contract once for each such thing: doing nothing, opening the store again, moving its rows to disk.
 */
@NullMarked
package io.polytable.table.testkit.contract;

import org.jspecify.annotations.NullMarked;

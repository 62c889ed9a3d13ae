/**
 * The contract of {@link io.polytable.table.TableStore} as tests.
 *
 * <p>A store's test class extends {@link io.polytable.table.testkit.contract.TableStoreContract} and defines how the
 * store is opened. The parts are interfaces with default test methods, one for each subject, so that one class runs
 * them all and each stays short.
 *
 * <p>The parts call {@code betweenSteps()} wherever an action without a visible effect may happen. A store runs the
 * contract once for each such action: doing nothing, reopening the store, flushing its rows to disk.
 */
@NullMarked
package io.polytable.table.testkit.contract;

import org.jspecify.annotations.NullMarked;

/**
 * The wiring of the server: the store, and the files of single protocols. The protocols are in {@code config.Frontends}.
 *
 * <p>Everything else uses the modules only through the interfaces of {@code run}. A class here takes
 * one module's options from the configuration, opens it, and connects its counters to the metrics.
 */
@NullMarked
package io.polytable.server.assembly;

import org.jspecify.annotations.NullMarked;

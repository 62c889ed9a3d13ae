/**
 * The one place where rooms meet: which engine and which faces this server is made of.
 *
 * <p>Everything else knows the rooms only through the interfaces of {@code run}. A class here takes
 * one room's options from the configuration, opens it, and bridges its numbers to the metrics.
 */
@NullMarked
package io.polytable.server.assembly;

import org.jspecify.annotations.NullMarked;

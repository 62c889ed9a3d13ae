/**
 * The settings that the server itself declares: those of the process ({@link
 * io.polytable.server.config.ServerSettings}), of the store and its logs, and of the tables in Fluss. {@link
 * io.polytable.server.config.ServerCatalog} joins them with those of the protocols. {@link
 * io.polytable.server.config.CrossChecks} refuses invalid combinations, {@link
 * io.polytable.server.config.MemoryShares} is the memory plan that follows from the settings.
 */
@NullMarked
package io.polytable.server.config;

import org.jspecify.annotations.NullMarked;

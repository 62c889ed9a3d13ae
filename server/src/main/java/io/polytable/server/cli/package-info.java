/**
 * The commands of {@code polytable}: what a person types, and what comes back.
 *
 * <p>A class is a command. Each takes settings in any spelling ({@link
 * io.polytable.server.config.CommandLineWords}) and works on the data directory that they name. A
 * refusal is one sentence on standard error and exit code 1; what was asked for is on standard
 * output and nothing else is.
 */
@NullMarked
package io.polytable.server.cli;

import org.jspecify.annotations.NullMarked;

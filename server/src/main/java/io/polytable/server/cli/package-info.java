/**
 * The commands of {@code polytable}, one class each.
 *
 * <p>Each takes settings in any spelling ({@link
 * io.polytable.frontend.setting.CommandLineWords}) and works on the data directory that they name. A
 * refusal is one sentence on standard error and exit code 1. Standard output has only the
 * result.
 */
@NullMarked
package io.polytable.server.cli;

import org.jspecify.annotations.NullMarked;

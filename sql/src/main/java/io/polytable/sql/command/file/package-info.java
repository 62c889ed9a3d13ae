/**
 * Statements about files: {@link io.polytable.sql.command.file.FileStatements} runs or queues them.
 * {@link io.polytable.sql.command.file.Exports} writes a table as a Parquet file,
 * {@link io.polytable.sql.command.file.Imports} reads one.
 */
@NullMarked
package io.polytable.sql.command.file;

import org.jspecify.annotations.NullMarked;

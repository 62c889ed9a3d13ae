/**
 * Statements about storages and files: {@link io.polytable.sql.command.file.FileStatements} runs them, or submits jobs
 * and waits. The jobs of {@link io.polytable.sql.command.file.Exports} write a table as a Parquet file, those of
 * {@link io.polytable.sql.command.file.Imports} read one into a table.
 */
@NullMarked
package io.polytable.sql.command.file;

import org.jspecify.annotations.NullMarked;

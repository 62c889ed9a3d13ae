package io.polytable.sql.command.compiled;

import io.polytable.sql.syntax.Statement;

/**
 * An INSERT resolved against a table, independent of its parameters.
 *
 * @param targets for each given value, the index of its column
 * @param byKey whether it reads rows by key only and so needs no snapshot
 */
@SuppressWarnings("ArrayRecordComponent") // Shapes are never compared, and the array is never changed.
public record InsertShape(Statement.Insert insert, int[] targets, boolean byKey) {}

package io.polytable.sql.command.compiled;

import io.polytable.sql.syntax.Statement;

/**
 * What an INSERT is for a table, whatever its parameters.
 *
 * @param targets for each given value, the index of its column
 * @param byKey whether it reads nothing but rows by their keys
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares or changes them.
public record InsertShape(Statement.Insert insert, int[] targets, boolean byKey) {}

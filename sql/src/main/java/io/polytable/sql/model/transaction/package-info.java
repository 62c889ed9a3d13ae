/**
 * Transactions. A {@link io.polytable.sql.model.transaction.Transaction} is a write set over a snapshot, checked for
 * conflicts at commit; {@link io.polytable.sql.model.transaction.SerializableCommits} adds those of serializable ones. {@link io.polytable.sql.model.transaction.TableWriter} adds rows and their index entries to it,
 * and enforces NOT NULL and uniqueness. {@link io.polytable.sql.model.transaction.StatementMemory} bounds the memory of all
 * transactions.
 */
@NullMarked
package io.polytable.sql.model.transaction;

import org.jspecify.annotations.NullMarked;

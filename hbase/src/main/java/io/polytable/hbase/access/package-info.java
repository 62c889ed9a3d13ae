/**
 * Who may do what, as HBase's AccessController says it. {@link io.polytable.hbase.access.Identities} decides which user a
 * connection acts as. {@link io.polytable.hbase.access.Access} decides what that user may do, by the grants that all
 * protocols share; a {@link io.polytable.hbase.access.GuardedRegion} is a region as one client may use it. Calls that
 * name a table, a namespace or the cluster have a rule each ({@code MasterRules}, {@code ServerRules}), which also removes
 * from an answer what its client may not see; a call without a rule needs ADMIN on everything. {@code GrantCalls} are
 * HBase's calls to grant, revoke and list permissions.
 *
 * <p>READ is SELECT, WRITE is INSERT, UPDATE and DELETE (a put needs the first two, a delete the third), EXEC is EXECUTE,
 * CREATE and ADMIN have the same names.
 */
@NullMarked
package io.polytable.hbase.access;

import org.jspecify.annotations.NullMarked;

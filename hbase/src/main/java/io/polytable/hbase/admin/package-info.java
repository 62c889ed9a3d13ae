/**
 * HBase's {@code MasterService}, {@code AdminService} and {@code ClientMetaService}, with a class for each group of
 * methods. {@link io.polytable.hbase.admin.MasterService} assembles them. A call that changes tables, such as those of
 * {@code TableCalls}, runs as a procedure ({@code Procedures}) that clients can poll; the change itself is made by
 * {@code catalog.TableChanges}.
 */
@NullMarked
package io.polytable.hbase.admin;

import org.jspecify.annotations.NullMarked;

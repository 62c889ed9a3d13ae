/**
 * HBase's {@code MasterService}, {@code AdminService} and {@code ClientMetaService}, a class for each family of methods.
 * What changes tables runs as a {@link io.polytable.hbase.admin.Procedures procedure} that clients may ask after.
 */
@NullMarked
package io.polytable.hbase.admin;

import org.jspecify.annotations.NullMarked;

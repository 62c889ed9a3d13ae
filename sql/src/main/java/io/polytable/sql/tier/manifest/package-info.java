/**
 * The lists of segments. A {@link io.polytable.sql.tier.manifest.Manifest} lists the
 * {@link io.polytable.sql.tier.manifest.Segment}s of one scope: a shared table, one user of a user table, or all users
 * of a packed one. {@link io.polytable.sql.tier.manifest.Manifests} keeps them as rows of the store. This copy is
 * authoritative, so that a snapshot shows rows and segments of the same moment. The {@code manifest.json} on the
 * storage is for outside readers.
 */
@NullMarked
package io.polytable.sql.tier.manifest;

import org.jspecify.annotations.NullMarked;

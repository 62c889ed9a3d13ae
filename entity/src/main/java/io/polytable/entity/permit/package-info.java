/**
 * Permissions of users: {@link io.polytable.entity.permit.Permissions} stores them as records of the instance. A store
 * with users of its own (Cassandra) gets every change as a grant and enforces it; elsewhere {@link
 * io.polytable.entity.permit.GuardedStore} checks each call for the user that it was opened for.
 */
@NullMarked
package io.polytable.entity.permit;

import org.jspecify.annotations.NullMarked;

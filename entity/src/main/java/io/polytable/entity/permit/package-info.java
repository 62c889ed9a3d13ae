/**
 * Permissions of users: {@link io.polytable.entity.permit.Permissions} keeps who may do what as records of the instance. Where
 * a store has users of its own (Cassandra) it is told of every change and enforces it; elsewhere {@link
 * io.polytable.entity.permit.GuardedStore} checks each call for the user that it was opened for.
 */
@NullMarked
package io.polytable.entity.permit;

import org.jspecify.annotations.NullMarked;

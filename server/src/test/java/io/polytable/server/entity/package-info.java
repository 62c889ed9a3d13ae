/** Entities on a whole server: the suite of the entity library through its HTTP port, and other clients of it. */
@NullMarked
package io.polytable.server.entity;

import org.jspecify.annotations.NullMarked;

/** Entities on a whole server: the suite of the entity library through its HTTP port, and what other programs see of it. */
@NullMarked
package io.polytable.server.entity;

import org.jspecify.annotations.NullMarked;

/** {@code polytable entity ...}: instances, tables, layouts and cells from the command line. */
@NullMarked
package io.polytable.entity.tool;

import org.jspecify.annotations.NullMarked;

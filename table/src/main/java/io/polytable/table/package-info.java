/** The contract between faces and engines. */
@NullMarked
package io.polytable.table;

import org.jspecify.annotations.NullMarked;

/**
 * Plans of statements: {@link io.polytable.sql.command.plan.Plan} is what a statement does once its names are resolved and
 * its expressions compiled. It does not depend on parameters, so that it can be kept and run again.
 */
@NullMarked
package io.polytable.sql.command.plan;

import org.jspecify.annotations.NullMarked;

/**
 * Where the process begins: {@link io.polytable.server.Main} hands the parts that {@code assembly}
 * puts together to the commands of {@code cli}.
 */
@NullMarked
package io.polytable.server;

import org.jspecify.annotations.NullMarked;

/** The engine's tests: its rules, histories against an oracle, crashes. */
@NullMarked
package io.polytable.store;

import org.jspecify.annotations.NullMarked;

/** The engine's tests: its rules, histories against an oracle, crashes. */
@NullMarked
package io.polytable.store.engine;

import org.jspecify.annotations.NullMarked;

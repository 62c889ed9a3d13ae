/**
 * When an answer may leave the server: {@link io.polytable.frontend.answer.AnswerGate} is the one rule of all protocols.
 */
@NullMarked
package io.polytable.frontend.answer;

import org.jspecify.annotations.NullMarked;

/** A phone book, step by step: {@link io.polytable.examples.phonebook.Phonebook}. */
@NullMarked
package io.polytable.examples.phonebook;

import org.jspecify.annotations.NullMarked;

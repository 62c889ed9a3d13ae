package io.polytable.examples.phonebook;

/** Somebody in the book; written to one Avro column as it is. */
record Contact(String street, String city, String state, int zip) {}

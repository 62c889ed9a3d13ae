package io.polytable.examples.phonebook;

/** A person in the phone book; stored in one Avro column. */
record Contact(String street, String city, String state, int zip) {}

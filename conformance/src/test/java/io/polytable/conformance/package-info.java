/**
 * The black box: what a program sees of Polytable through a socket, held against the reference server.
 *
 * <p>Nothing here knows a class of ours. A server is a process with a port ({@code process}), spoken to with a raw RESP
 * client that keeps every byte ({@code resp}). On these two stand the suites:
 *
 * <ul>
 *   <li>{@code history} writes seeded random histories, {@code differential} plays them to redis-server and to us and
 *       compares every reply and then the whole key space;
 *   <li>{@code declaration} compares what {@code COMMAND} says of each command;
 *   <li>{@code client} uses the two common Java clients as an application would;
 *   <li>{@code protocol} sends hostile bytes;
 *   <li>{@code durability} kills the server and counts what it had promised.
 * </ul>
 *
 * <p>The two tests of this package look at the source instead: which package may know which, and the rules of style a
 * machine can check.
 */
@NullMarked
package io.polytable.conformance;

import org.jspecify.annotations.NullMarked;

/**
 * Black-box tests: Polytable as a program sees it through a socket, compared with the reference server.
 *
 * <p>Nothing here uses a class of ours. A server is a process with a port ({@code process}), called with a raw RESP
 * client that keeps every byte ({@code resp}). The suites use these two:
 *
 * <ul>
 *   <li>{@code history} generates seeded random histories, {@code differential} runs them on redis-server and on our
 *       server and compares every reply and then the whole key space;
 *   <li>{@code declaration} compares the output of {@code COMMAND} for each command;
 *   <li>{@code client} uses common clients as an application would;
 *   <li>{@code protocol} sends hostile bytes;
 *   <li>{@code push} compares messages, notifications and invalidations;
 *   <li>{@code linearizability} checks recorded histories of concurrent clients;
 *   <li>{@code durability} kills the server and verifies what it had acknowledged.
 * </ul>
 *
 * <p>The two tests of this package check the source code instead: dependencies between packages, and style rules.
 */
@NullMarked
package io.polytable.conformance;

import org.jspecify.annotations.NullMarked;

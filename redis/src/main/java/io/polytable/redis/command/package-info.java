/**
 * Which commands exist, their shape, their refusals.
 *
 * <p>A {@link io.polytable.redis.command.CommandFamily} declares its commands, one line each: name, arity, where the
 * keys are, flags, and the body. The declaration is the only place that knows it: the dispatcher locks the stripes of the
 * declared keys around the body and the commit, COMMAND reports it, authentication and ACL categories follow from it.
 * Nothing compares command names.
 *
 * <p>A body reads words from the {@link io.polytable.redis.command.Call}, calls the model once with
 * {@code call.space()}, and wraps what it got in a {@link io.polytable.redis.command.Reply}. It never locks, never
 * commits, never waits. A mistake of the client is a thrown {@link io.polytable.redis.model.RedisError}; then nothing
 * of the call's work is kept.
 *
 * <p>This package has what a command is made of. The rooms beside it:
 *
 * <table>
 * <caption>Rooms</caption>
 * <tr><td>{@code string}, {@code hash}, {@code zset}, {@code stream}, {@code keyspace}</td><td>the families, each over the model's room of that name</td></tr>
 * <tr><td>{@code dispatch}</td><td>runs a call: looks up, locks, commits, answers errors</td></tr>
 * <tr><td>{@code blocking}</td><td>calls that wait for keys</td></tr>
 * <tr><td>{@code node}</td><td>the running server: clients, statistics, slow log, pause</td></tr>
 * <tr><td>{@code config}</td><td>CONFIG and the parameters</td></tr>
 * <tr><td>{@code client}</td><td>CLIENT, HELLO, AUTH, ACL: what a connection says of itself</td></tr>
 * <tr><td>{@code server}</td><td>INFO, SLOWLOG, LATENCY, SHUTDOWN and the like</td></tr>
 * <tr><td>{@code introspection}</td><td>COMMAND, OBJECT, MEMORY</td></tr>
 * <tr><td>{@code push}, {@code pubsub}, {@code tracking}</td><td>what clients are told unasked: the order of it, messages and
 * notifications, invalidations</td></tr>
 * <tr><td>{@code help}</td><td>the texts of HELP and COMMAND DOCS</td></tr>
 * </table>
 */
@NullMarked
package io.polytable.redis.command;

import org.jspecify.annotations.NullMarked;

/**
 * Declaring and calling commands.
 *
 * <p>A {@link io.polytable.redis.command.CommandFamily} declares its commands, one line each: name, arity, key
 * positions, flags, and the body. The declaration is the only source of these facts: the dispatcher locks the stripes
 * of the declared keys around the body and the commit, COMMAND reports them, authentication and ACL categories follow
 * from them.
 *
 * <p>A body parses words of the {@link io.polytable.redis.command.Call}, calls the model once with
 * {@code call.space()}, and wraps the result in a {@link io.polytable.redis.command.Reply}. It never locks, commits or
 * waits. It reports a client's mistake by throwing a {@link io.polytable.redis.model.RedisError}; the call's unit of
 * work is then discarded.
 *
 * <p>This package holds what a command is made of. The packages below it:
 *
 * <table>
 * <caption>Packages</caption>
 * <tr><td>{@code string}, {@code hash}, {@code zset}, {@code stream}, {@code keyspace} ...</td><td>the families, each
 * over the model's package of that name</td></tr>
 * <tr><td>{@code dispatch}</td><td>runs a call: looks up, locks, commits, answers errors</td></tr>
 * <tr><td>{@code blocking}, {@code transaction}</td><td>calls that wait for keys; MULTI, EXEC and WATCH</td></tr>
 * <tr><td>{@code node}</td><td>the running server: clients, statistics, slow log, pause</td></tr>
 * <tr><td>{@code config}</td><td>CONFIG and the parameters</td></tr>
 * <tr><td>{@code client}</td><td>CLIENT, HELLO, AUTH, ACL</td></tr>
 * <tr><td>{@code server}, {@code cluster}</td><td>INFO, SLOWLOG, LATENCY, SHUTDOWN and the like; CLUSTER</td></tr>
 * <tr><td>{@code introspection}</td><td>COMMAND, OBJECT, MEMORY</td></tr>
 * <tr><td>{@code push}, {@code pubsub}, {@code tracking}</td><td>push messages: their order, publications and
 * notifications, invalidations</td></tr>
 * <tr><td>{@code help}</td><td>the texts of HELP and COMMAND DOCS</td></tr>
 * </table>
 */
@NullMarked
package io.polytable.redis.command;

import org.jspecify.annotations.NullMarked;

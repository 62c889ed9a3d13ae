/**
 * Jedis and Lettuce as an application uses them, over RESP2 and RESP3: the types, pipelines, scans, channels,
 * client-side caching, binary and large values, passwords, databases, many connections, a server that restarts. And
 * ioredis and node-redis, by scripts of their own in {@code src/test/node}.
 *
 * <p>Each suite also runs on the reference server (tag {@code peers}), which proves that the suite's expectations are
 * right.
 */
@NullMarked
package io.polytable.conformance.client;

import org.jspecify.annotations.NullMarked;

// ioredis as an application uses it. Usage: node ioredis.mjs PORT; ends with an error when something is not as in Redis.
import assert from "node:assert/strict";
import { once } from "node:events";
import Redis from "ioredis";

const port = Number(process.argv[2]);
const redis = new Redis({ port, host: "127.0.0.1", maxRetriesPerRequest: 1 });
const blocked = redis.duplicate();
const listener = redis.duplicate();

await redis.flushall();
assert.equal(await redis.set("k", "v", "EX", 100), "OK");
assert.equal(await redis.get("k"), "v");
assert.deepEqual(await redis.getBuffer("k"), Buffer.from("v"));
assert.equal(await redis.get("none"), null);
assert.equal(await redis.incrby("n", 41), 41);
assert.deepEqual(await redis.mget("k", "none", "n"), ["v", null, "41"]);

await redis.hset("h", { name: "Ada", born: 1815 });
assert.deepEqual(await redis.hgetall("h"), { name: "Ada", born: "1815" });
assert.deepEqual(await redis.hmget("h", "born", "none"), ["1815", null]);

assert.equal(await redis.rpush("l", 1, 2, 3), 3);
assert.deepEqual(await redis.lrange("l", 0, -1), ["1", "2", "3"]);
assert.equal(await redis.sadd("s", "a", "b", "a"), 2);
assert.deepEqual((await redis.smembers("s")).sort(), ["a", "b"]);
assert.equal(await redis.zadd("z", 1, "one", 2.5, "two"), 2);
assert.deepEqual(await redis.zrange("z", 0, -1, "WITHSCORES"), ["one", "1", "two", "2.5"]);
assert.equal(await redis.setbit("bits", 4000000000, 1), 0);
assert.equal(await redis.bitcount("bits"), 1);

const replies = await redis.pipeline().set("p", 1).incr("p").lpush("p", "x").exec();
assert.deepEqual(replies.slice(0, 2), [[null, "OK"], [null, 2]]);
assert.match(replies[2][0].message, /^WRONGTYPE/);
assert.deepEqual(await redis.multi().incr("m").incr("m").exec(), [[null, 1], [null, 2]]);
await redis.watch("m");
await blocked.incr("m");
assert.equal(await redis.multi().incr("m").exec(), null);

const popped = blocked.blpop("queue", 20);
await redis.rpush("queue", "job");
assert.deepEqual(await popped, ["queue", "job"]);

const id = await redis.xadd("stream", "*", "f", "v");
await redis.xgroup("CREATE", "stream", "g", "0");
assert.deepEqual(await redis.xreadgroup("GROUP", "g", "c", "STREAMS", "stream", ">"), [["stream", [[id, ["f", "v"]]]]]);
assert.equal(await redis.xack("stream", "g", id), 1);

assert.equal(await listener.subscribe("news"), 1);
const heard = once(listener, "message");
assert.equal(await redis.publish("news", "hello"), 1);
assert.deepEqual(await heard, ["news", "hello"]);

for (let i = 0; i < 1000; i++) redis.set("scan:" + i, i);
let found = 0;
for await (const keys of redis.scanStream({ match: "scan:*", count: 100 })) found += keys.length;
assert.equal(found, 1000);

await Promise.all([redis.quit(), blocked.quit(), listener.quit()]);
console.log("ioredis: all is well");

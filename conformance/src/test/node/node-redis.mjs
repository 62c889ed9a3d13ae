// node-redis as an application uses it, in RESP2 and RESP3. Usage: node node-redis.mjs PORT; ends with an error when something
// is not as in Redis.
import assert from "node:assert/strict";
import { createClient } from "redis";

const port = Number(process.argv[2]);

async function run(RESP) {
  const client = createClient({ socket: { port, host: "127.0.0.1", reconnectStrategy: false }, RESP });
  await client.connect();
  const other = await client.duplicate().connect();
  await client.flushAll();

  assert.equal(await client.set("k", "v", { expiration: { type: "EX", value: 100 } }), "OK");
  assert.equal(await client.get("k"), "v");
  assert.equal(await client.get("none"), null);
  assert.equal(await client.incrBy("n", 41), 41);
  assert.deepEqual(await client.mGet(["k", "none"]), ["v", null]);

  await client.hSet("h", { name: "Ada", born: "1815" });
  assert.deepEqual({ ...(await client.hGetAll("h")) }, { name: "Ada", born: "1815" });
  assert.equal(await client.rPush("l", ["1", "2", "3"]), 3);
  assert.deepEqual(await client.lRange("l", 0, -1), ["1", "2", "3"]);
  assert.equal(await client.sAdd("s", ["a", "b"]), 2);
  assert.deepEqual([...(await client.sMembers("s"))].sort(), ["a", "b"]);
  await client.zAdd("z", [{ score: 1, value: "one" }, { score: 2.5, value: "two" }]);
  assert.deepEqual(await client.zRangeWithScores("z", 0, -1), [{ value: "one", score: 1 }, { value: "two", score: 2.5 }]);

  assert.deepEqual(await client.multi().set("m", "1").incr("m").exec(), ["OK", 2]);
  await client.watch("m");
  await other.incr("m");
  await assert.rejects(client.multi().incr("m").exec());

  const popped = other.blPop("queue", 20);
  await client.rPush("queue", "job");
  assert.deepEqual({ ...(await popped) }, { key: "queue", element: "job" });

  const id = await client.xAdd("stream", "*", { f: "v" });
  await client.xGroupCreate("stream", "g", "0");
  assert.equal((await client.xRange("stream", "-", "+"))[0].id, id);
  assert.equal(await client.xLen("stream"), 1);

  const heard = new Promise((resolve) => other.subscribe("news", resolve));
  while ((await client.publish("news", "hello")) === 0) await new Promise((later) => setTimeout(later, 5));
  assert.equal(await heard, "hello");
  await other.unsubscribe("news");

  await Promise.all(Array.from({ length: 1000 }, (_, i) => client.set("scan:" + i, "x")));
  let found = 0;
  for await (const keys of client.scanIterator({ MATCH: "scan:*", COUNT: 100 })) found += keys.length;
  assert.equal(found, 1000);

  await client.close();
  await other.close();
}

await run(2);
await run(3);
console.log("node-redis: all is well");

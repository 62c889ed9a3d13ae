// Bull, a rate limiter and a lock, which are scripts. Usage: node bull.mjs PORT; ends with an error when something is not as with Redis.
import assert from "node:assert/strict";
import Bull from "bull";
import Redis from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import Redlock from "redlock";

const connection = { host: "127.0.0.1", port: Number(process.argv[2]) };
const redis = new Redis(connection);

const locks = new Redlock([redis], { retryCount: 0 });
let lock = await locks.acquire(["lock:a", "lock:b"], 5000);
await assert.rejects(locks.acquire(["lock:b"], 5000));
lock = await lock.extend(10000);
assert.ok(await redis.pttl("lock:a") > 5000);
await lock.release();
assert.equal(await redis.exists("lock:a", "lock:b"), 0);

const limiter = new RateLimiterRedis({ storeClient: redis, points: 3, duration: 60, blockDuration: 90 });
for (let left = 2; left >= 0; left--) assert.equal((await limiter.consume("user")).remainingPoints, left);
await assert.rejects(limiter.consume("user"), (refusal) => refusal.msBeforeNext > 60000);
await limiter.delete("user");
assert.equal((await limiter.consume("user")).remainingPoints, 2);

const queue = new Bull("bulls", { redis: connection });
queue.process(2, async (job) => {
  if (job.data.fails && job.attemptsMade < 2) throw new Error("again");
  return job.data.x * 2;
});
assert.equal(await (await queue.add({ x: 21 })).finished(), 42);
assert.equal(await (await queue.add({ x: 4, fails: true }, { attempts: 3 })).finished(), 8);
assert.equal(await (await queue.add({ x: 5 }, { delay: 100 })).finished(), 10);
await queue.close();
await redis.quit();
console.log("bull: all is well");

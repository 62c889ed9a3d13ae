// BullMQ as an application uses it. Usage: node bullmq.mjs PORT; ends with an error when something is not as with Redis.
import assert from "node:assert/strict";
import { once } from "node:events";
import { FlowProducer, Queue, QueueEvents, Worker } from "bullmq";

const port = Number(process.argv[2]);
const connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null };
const options = { connection, prefix: "{bull}" };
const queue = new Queue("mail", options);
queue.setMaxListeners(100);
const events = new QueueEvents("mail", options);
await events.waitUntilReady();
const worker = new Worker("mail", async job => {
  if (job.name === "broken" && job.attemptsMade < 2) throw new Error("not yet");
  if (job.name === "hopeless") throw new Error("never");
  await job.updateProgress(50);
  await job.log("line of " + job.name);
  return { sent: job.data.to };
}, { ...options, concurrency: 4 });
const done = (job) => job.waitUntilFinished(events, 20000);

const job = await queue.add("plain", { to: "ada" });
assert.deepEqual(await done(job), { sent: "ada" });
assert.deepEqual((await queue.getJobLogs(job.id)).logs, ["line of plain"]);
assert.equal(await job.getState(), "completed");

const bulk = await queue.addBulk(Array.from({ length: 50 }, (_, i) => ({ name: "bulk", data: { to: i }, opts: { priority: i % 5 } })));
assert.deepEqual((await Promise.all(bulk.map(done))).map(r => r.sent), bulk.map((_, i) => i));

const delayed = await queue.add("later", { to: "grace" }, { delay: 200 });
assert.equal(await delayed.getState(), "delayed");
assert.deepEqual(await done(delayed), { sent: "grace" });

const broken = await queue.add("broken", { to: "x" }, { attempts: 3, backoff: { type: "fixed", delay: 20 } });
assert.deepEqual(await done(broken), { sent: "x" });
const hopeless = await queue.add("hopeless", {}, { removeOnFail: 1 });
await assert.rejects(done(hopeless), /never/);
assert.equal(await queue.getFailedCount(), 1);
await hopeless.retry("failed");
await assert.rejects(done(hopeless), /never/);

const same = await queue.add("once", { to: 1 }, { jobId: "unique" });
const again = await queue.add("once", { to: 2 }, { jobId: "unique" });
assert.equal(same.id, again.id);
await done(same);

await queue.upsertJobScheduler("tick", { every: 100 }, { name: "tick", data: { to: "clock" } });
for (let ticks = 0; ticks < 3; ticks++) await once(worker, "completed");
assert.equal((await queue.getJobSchedulers()).length, 1);
assert.equal(await queue.removeJobScheduler("tick"), true);

const flow = new FlowProducer(options);
const tree = await flow.add({ name: "parent", queueName: "mail", data: { to: "p" },
  children: [{ name: "child", queueName: "mail", data: { to: 1 } }, { name: "child", queueName: "mail", data: { to: 2 } }] });
assert.deepEqual(await done(tree.job), { sent: "p" });
assert.equal(Object.keys(await tree.job.getChildrenValues()).length, 2);

await queue.pause();
const held = await queue.add("held", { to: "h" });
assert.equal(await queue.isPaused(), true);
assert.ok(["waiting", "paused"].includes(await held.getState()));
await queue.resume();
assert.deepEqual(await done(held), { sent: "h" });
const limited = new Worker("slow", async () => {}, { ...options, limiter: { max: 2, duration: 100 } });
const slow = new Queue("slow", options);
const slowEvents = new QueueEvents("slow", options);
await slowEvents.waitUntilReady();
for (const each of await slow.addBulk([1, 2, 3, 4, 5].map(n => ({ name: "n", data: n })))) await each.waitUntilFinished(slowEvents, 20000);
const counts = await queue.getJobCounts();
assert.equal(counts.active + counts.waiting + counts.delayed, 0, JSON.stringify(counts));
assert.ok((await queue.clean(0, 1000, "completed")).length > 0);
await worker.close(); await limited.close();
await queue.obliterate({ force: true }); await slow.obliterate({ force: true });
for (const each of [events, slowEvents, queue, slow, flow]) await each.close();
console.log("bullmq: all is well");

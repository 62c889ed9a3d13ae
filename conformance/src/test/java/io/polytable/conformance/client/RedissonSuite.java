package io.polytable.conformance.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.Redisson;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchResult;
import org.redisson.api.RAtomicLong;
import org.redisson.api.RBatch;
import org.redisson.api.RBitSet;
import org.redisson.api.RBlockingDeque;
import org.redisson.api.RBucket;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RGeo;
import org.redisson.api.RHyperLogLog;
import org.redisson.api.RKeys;
import org.redisson.api.RList;
import org.redisson.api.RLock;
import org.redisson.api.RMap;
import org.redisson.api.RMapCache;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RSemaphore;
import org.redisson.api.RSet;
import org.redisson.api.RStream;
import org.redisson.api.RTopic;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.api.geo.GeoSearchArgs;
import org.redisson.api.geo.GeoUnit;
import org.redisson.api.stream.PendingEntry;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamCreateGroupArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamPendingRangeArgs;
import org.redisson.api.stream.StreamRangeArgs;
import org.redisson.api.stream.StreamReadGroupArgs;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.ScoredEntry;
import org.redisson.config.Config;

/** Redisson on one server: its objects that use plain commands, and those that use scripts. */
@OnSharedServers
@Timeout(60)
abstract class RedissonSuite {
    private static final int PATIENCE_MILLIS = 20_000;

    private final Target target;
    private RespServer server;
    private RedissonClient client;

    RedissonSuite(Target target) {
        this.target = target;
    }

    @BeforeAll
    void start(SharedServers servers) {
        server = servers.of(target);
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.useSingleServer()
                .setAddress("redis://127.0.0.1:" + server.port())
                .setTimeout(PATIENCE_MILLIS)
                .setRetryAttempts(0);
        client = Redisson.create(config);
    }

    @AfterAll
    void stop() {
        client.shutdown();
    }

    @BeforeEach
    void empty() {
        client.getKeys().flushall();
    }

    RedissonClient client() {
        return client;
    }

    @Test
    void buckets() {
        RBucket<String> bucket = client.getBucket("b");
        assertThat(bucket.get()).isNull();
        bucket.set("one", Duration.ofHours(1));
        assertThat(bucket.remainTimeToLive()).isBetween(3_590_000L, 3_600_000L);
        assertThat(bucket.setIfAbsent("two")).isFalse();
        assertThat(bucket.getAndSet("three")).isEqualTo("one");
        assertThat(bucket.size()).isEqualTo(5);
        assertThat(client.getBuckets().get("b", "none")).isEqualTo(Map.of("b", "three"));
        assertThat(bucket.delete()).isTrue();
        assertThat(bucket.isExists()).isFalse();
        RAtomicLong counter = client.getAtomicLong("c");
        assertThat(counter.addAndGet(41)).isEqualTo(41);
        assertThat(counter.incrementAndGet()).isEqualTo(42);
        RBitSet bits = client.getBitSet("bits");
        bits.set(1_000_000, true);
        assertThat(bits.get(1_000_000)).isTrue();
        assertThat(bits.cardinality()).isEqualTo(1);
    }

    @Test
    void queuesAndLists() {
        RBlockingDeque<String> deque = client.getBlockingDeque("q");
        assertThat(deque.offer("b")).isTrue();
        deque.addFirst("a");
        deque.addLast("c");
        assertThat(deque.readAll()).containsExactly("a", "b", "c");
        assertThat(deque.poll()).isEqualTo("a");
        assertThat(deque.pollLast()).isEqualTo("c");
        assertThat(deque.peek()).isEqualTo("b");
        assertThat(deque.pollLastAndOfferFirstTo("other")).isEqualTo("b");
        RList<String> list = client.getList("l");
        list.addAll(List.of("x", "y", "z", "y"));
        assertThat(list.get(1)).isEqualTo("y");
        list.fastSet(0, "w");
        assertThat(list.remove("y")).isTrue();
        assertThat(list.addBefore("z", "v")).isEqualTo(4);
        assertThat(list.range(0, -1)).containsExactly("w", "v", "z", "y");
        list.trim(1, 2);
        assertThat(list.readAll()).containsExactly("v", "z");
    }

    @Test
    void aBlockedPollIsServed() throws InterruptedException {
        RBlockingDeque<String> deque = client.getBlockingDeque("q");
        assertThat(deque.poll(50, TimeUnit.MILLISECONDS)).isNull();
        var taken = deque.takeAsync();
        deque.add("late");
        assertThat(taken.toCompletableFuture().join()).isEqualTo("late");
        assertThat(deque.size()).isZero();
    }

    @Test
    void setsAndMaps() {
        RSet<String> set = client.getSet("s");
        assertThat(set.addAll(Set.of("a", "b", "c"))).isTrue();
        assertThat(set.contains("b")).isTrue();
        client.<String>getSet("t").addAll(Set.of("b", "c", "d"));
        assertThat(set.readIntersection("t")).containsExactlyInAnyOrder("b", "c");
        assertThat(set.union("t", "s")).isEqualTo(4);
        assertThat(set.removeRandom(2)).hasSize(2);
        assertThat(set.readAll()).hasSize(2);
        int iterated = 0;
        for (String unused : set) {
            iterated++;
        }
        assertThat(iterated).isEqualTo(2);
        RMap<String, String> map = client.getMap("m");
        assertThat(map.fastPut("k", "v")).isTrue();
        map.putAll(Map.of("l", "w", "m", "x"));
        assertThat(map.get("k")).isEqualTo("v");
        assertThat(map.getAll(Set.of("l", "none"))).isEqualTo(Map.of("l", "w"));
        assertThat(map.fastPutIfAbsent("k", "other")).isFalse();
        assertThat(map.fastRemove("m")).isEqualTo(1);
        assertThat(map.readAllMap()).isEqualTo(Map.of("k", "v", "l", "w"));
        assertThat(map.readAllKeySet()).containsExactlyInAnyOrder("k", "l");
    }

    @Test
    void scoredSortedSets() {
        RScoredSortedSet<String> set = client.getScoredSortedSet("z");
        assertThat(set.addAll(Map.of("a", 1.0, "b", 2.5))).isEqualTo(2);
        assertThat(set.add(0.1, "c")).isTrue();
        assertThat(set.addScore("b", 0.5)).isEqualTo(3.0);
        assertThat(set.getScore("c")).isEqualTo(0.1);
        assertThat(set.rank("b")).isEqualTo(2);
        assertThat(set.valueRange(0, -1)).containsExactly("c", "a", "b");
        assertThat(set.entryRange(0, 0)).containsExactly(new ScoredEntry<>(0.1, "c"));
        assertThat(set.count(0.5, true, 3.0, false)).isEqualTo(1);
        assertThat(set.remove("c")).isTrue();
        assertThat(set.removeRangeByScore(0, true, 2, true)).isEqualTo(1);
        assertThat(set.size()).isEqualTo(1);
    }

    @Test
    void streams() {
        RStream<String, String> stream = client.getStream("x");
        stream.createGroup(StreamCreateGroupArgs.name("g").makeStream());
        StreamMessageId first = stream.add(StreamAddArgs.entry("k", "v"));
        StreamMessageId second = stream.add(StreamAddArgs.entry("k", "w"));
        assertThat(stream.range(StreamRangeArgs.startId(StreamMessageId.MIN).endId(StreamMessageId.MAX)))
                .isEqualTo(Map.of(first, Map.of("k", "v"), second, Map.of("k", "w")));
        assertThat(stream.readGroup("g", "c", StreamReadGroupArgs.neverDelivered()))
                .containsOnlyKeys(first, second);
        assertThat(stream.ack("g", first)).isEqualTo(1);
        List<PendingEntry> pending = stream.listPending(StreamPendingRangeArgs.groupName("g")
                .startId(StreamMessageId.MIN)
                .endId(StreamMessageId.MAX)
                .count(10));
        assertThat(pending).extracting(PendingEntry::getId).containsExactly(second);
        assertThat(stream.claim("g", "d", 0, TimeUnit.MILLISECONDS, second)).containsOnlyKeys(second);
        assertThat(stream.getInfo().getLength()).isEqualTo(2);
        assertThat(stream.listGroups().get(0).getPending()).isEqualTo(1);
        assertThat(stream.remove(first)).isEqualTo(1);
    }

    @Test
    void topics() throws InterruptedException {
        BlockingQueue<String> heard = new ArrayBlockingQueue<>(10);
        RTopic topic = client.getTopic("news.one");
        topic.addListener(String.class, (channel, message) -> heard.add(channel + " " + message));
        client.getPatternTopic("news.*")
                .addListener(String.class, (pattern, channel, message) -> heard.add(pattern + " " + message));
        assertThat(topic.publish("hello")).isEqualTo(2);
        assertThat(List.of(next(heard), next(heard))).containsExactlyInAnyOrder("news.one hello", "news.* hello");
        topic.removeAllListeners();
        assertThat(topic.publish("again")).isEqualTo(1);
        assertThat(next(heard)).isEqualTo("news.* again");
    }

    private static String next(BlockingQueue<String> heard) throws InterruptedException {
        String message = heard.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(message).isNotNull();
        return message;
    }

    // The replies of a batch come together, from execute().
    @SuppressWarnings("FutureReturnValueIgnored")
    @Test
    void batchesAndTransactions() {
        for (BatchOptions.ExecutionMode mode : List.of(
                BatchOptions.ExecutionMode.IN_MEMORY,
                BatchOptions.ExecutionMode.IN_MEMORY_ATOMIC,
                BatchOptions.ExecutionMode.REDIS_WRITE_ATOMIC)) {
            client.getKeys().flushall();
            RBatch batch = client.createBatch(BatchOptions.defaults().executionMode(mode));
            batch.getBucket("b").setAsync("v");
            batch.getAtomicLong("c").addAndGetAsync(5);
            batch.getList("l").addAsync("e");
            batch.getBucket("b").getAsync();
            BatchResult<?> result = batch.execute();
            assertThat(result.getResponses().get(1)).as("%s", mode).isEqualTo(5L);
            assertThat(result.getResponses().get(3)).as("%s", mode).isEqualTo("v");
        }
    }

    @Test
    void geoHyperLogLogAndKeys() {
        RGeo<String> geo = client.getGeo("g");
        geo.add(13.361389, 38.115556, "Palermo");
        geo.add(15.087269, 37.502669, "Catania");
        assertThat(geo.dist("Palermo", "Catania", GeoUnit.KILOMETERS)).isEqualTo(166.2742);
        assertThat(geo.search(GeoSearchArgs.from(15, 37).radius(100, GeoUnit.KILOMETERS)))
                .containsExactly("Catania");
        RHyperLogLog<String> log = client.getHyperLogLog("h");
        log.addAll(List.of("a", "b", "a"));
        assertThat(log.count()).isEqualTo(2);
        RKeys keys = client.getKeys();
        assertThat(keys.count()).isEqualTo(2);
        assertThat(keys.getKeys()).containsExactlyInAnyOrder("g", "h");
        assertThat(keys.delete("g", "h", "none")).isEqualTo(2);
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // The calls are what is tested.
    void locksAreScripts() {
        RLock lock = client.getLock("lock");
        lock.lock();
        lock.lock();
        assertThat(lock.getHoldCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        RLock fair = client.getFairLock("fair");
        fair.lock();
        fair.unlock();
        RReadWriteLock both = client.getReadWriteLock("both");
        both.readLock().lock();
        assertThat(both.writeLock().isLocked()).isFalse();
        both.readLock().unlock();
        RSemaphore semaphore = client.getSemaphore("semaphore");
        assertThat(semaphore.trySetPermits(1)).isTrue();
        assertThat(semaphore.tryAcquire()).isTrue();
        assertThat(semaphore.tryAcquire()).isFalse();
        RCountDownLatch latch = client.getCountDownLatch("latch");
        assertThat(latch.trySetCount(1)).isTrue();
        latch.countDown();
        assertThat(latch.getCount()).isZero();
    }

    @Test
    void cachesLimitersAndComparisonsAreScripts() {
        RRateLimiter limiter = client.getRateLimiter("limiter");
        assertThat(limiter.trySetRate(RateType.OVERALL, 1, Duration.ofHours(1))).isTrue();
        assertThat(limiter.tryAcquire()).isTrue();
        assertThat(limiter.tryAcquire()).isFalse();
        RMapCache<String, String> cache = client.getMapCache("cache");
        assertThat(cache.put("k", "v", 1, TimeUnit.HOURS)).isNull();
        assertThat(cache.get("k")).isEqualTo("v");
        assertThat(client.<String>getSetCache("set").add("v", 1, TimeUnit.HOURS))
                .isTrue();
        RMap<String, String> map = client.getMap("map");
        assertThat(map.put("k", "v")).isNull();
        assertThat(map.put("k", "w")).isEqualTo("v");
        RScoredSortedSet<String> scored = client.getScoredSortedSet("scored");
        scored.add(2, "second");
        scored.add(1, "first");
        assertThat(scored.pollFirst()).isEqualTo("first");
        RBucket<String> bucket = client.getBucket("bucket");
        bucket.set("a");
        assertThat(bucket.compareAndSet("a", "b")).isTrue();
        assertThat(bucket.compareAndSet("a", "c")).isFalse();
        assertThat(bucket.get()).isEqualTo("b");
    }

    /** A server error reaches the caller unchanged. */
    @Test
    void errorsArriveAsErrors() {
        client.getBucket("b").set("text");
        assertThatThrownBy(() -> client.getAtomicLong("b").incrementAndGet())
                .hasMessageContaining("ERR value is not an integer or out of range");
        assertThatThrownBy(() -> client.getList("b").add("e")).hasMessageContaining("WRONGTYPE");
    }
}

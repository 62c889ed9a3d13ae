package io.polytable.conformance.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import io.polytable.table.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.dao.DataAccessException;
import org.springframework.data.annotation.Id;
import org.springframework.data.geo.Circle;
import org.springframework.data.geo.Distance;
import org.springframework.data.geo.Metrics;
import org.springframework.data.geo.Point;
import org.springframework.data.redis.cache.BatchStrategies;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisHash;
import org.springframework.data.redis.core.RedisKeyValueAdapter;
import org.springframework.data.redis.core.RedisKeyValueTemplate;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.convert.MappingRedisConverter;
import org.springframework.data.redis.core.index.Indexed;
import org.springframework.data.redis.core.mapping.RedisMappingContext;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.repository.support.RedisRepositoryFactory;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;
import org.springframework.data.redis.support.atomic.RedisAtomicLong;
import org.springframework.data.repository.CrudRepository;

/** Spring Data Redis with Lettuce on one server: templates, transactions, scripts, caches, listeners, repositories. */
@OnSharedServers
abstract class SpringSuite {
    private final Target target;
    private LettuceConnectionFactory connections;
    private StringRedisTemplate redis;

    SpringSuite(Target target) {
        this.target = target;
    }

    /** Something that a repository stores, as a hash with an index. */
    @RedisHash(value = "person", timeToLive = 100)
    record Person(@Id String id, @Indexed String city, int born) {}

    /** Spring implements it. */
    interface People extends CrudRepository<Person, String> {
        List<Person> findByCity(String city);
    }

    @BeforeAll
    void connect(SharedServers servers) {
        connections = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", servers.of(target).port()));
        connections.start();
        redis = new StringRedisTemplate(connections);
    }

    @AfterAll
    void disconnect() {
        connections.destroy();
    }

    @BeforeEach
    void empty() {
        redis.execute((RedisCallback<Void>) connection -> {
            connection.serverCommands().flushAll();
            return null;
        });
    }

    @Test
    void templatesReadWhatTheyWrote() {
        redis.opsForValue().set("k", "v", Duration.ofMinutes(1));
        assertThat(redis.opsForValue().get("k")).isEqualTo("v");
        assertThat(redis.getExpire("k", TimeUnit.SECONDS)).isBetween(1L, 60L);
        assertThat(redis.opsForValue().setIfAbsent("k", "w")).isFalse();
        redis.opsForHash().putAll("h", Map.of("a", "1", "b", "2"));
        assertThat(redis.opsForHash().entries("h")).isEqualTo(Map.of("a", "1", "b", "2"));
        redis.opsForList().rightPushAll("l", "x", "y");
        assertThat(redis.opsForList().leftPop("l", Duration.ofSeconds(1))).isEqualTo("x");
        redis.opsForZSet().add("z", "one", 1);
        assertThat(redis.opsForZSet().rangeWithScores("z", 0, -1)).hasSize(1);
        redis.opsForGeo().add("g", new Point(13.361389, 38.115556), "Palermo");
        assertThat(redis.opsForGeo()
                        .radius("g", new Circle(new Point(13.3, 38.1), new Distance(50, Metrics.KILOMETERS)))
                        .getContent())
                .hasSize(1);
        try (var keys = redis.scan(ScanOptions.scanOptions().match("*").count(2).build())) {
            assertThat(keys.stream()).containsExactlyInAnyOrder("k", "h", "l", "z", "g");
        }
        RedisAtomicLong counter = new RedisAtomicLong("counter", connections, 5);
        assertThat(counter.addAndGet(2)).isEqualTo(7);
        assertThat(counter.compareAndSet(7, 9)).isTrue();
    }

    @Test
    void transactionsAndPipelinesAnswerInOrder() {
        List<Object> replies = redis.execute(new SessionCallback<List<Object>>() {
            @Override
            @SuppressWarnings("unchecked")
            public <K, V> List<Object> execute(RedisOperations<K, V> operations) throws DataAccessException {
                RedisOperations<String, String> strings = (RedisOperations<String, String>) operations;
                strings.watch("n");
                strings.multi();
                strings.opsForValue().increment("n");
                strings.opsForValue().increment("n", 4);
                return strings.exec();
            }
        });
        assertThat(replies).isEqualTo(List.of(1L, 5L));
        List<Object> piped = redis.executePipelined((RedisCallback<Object>) connection -> {
            connection.stringCommands().set("p".getBytes(UTF_8), new byte[] {'q'});
            connection.keyCommands().exists("p".getBytes(UTF_8));
            return null;
        });
        assertThat(piped).isEqualTo(List.of(true, true));
    }

    @Test
    void scriptsRunByTheirDigest() {
        DefaultRedisScript<Long> script = new DefaultRedisScript<>(
                "redis.call('SET', KEYS[1], ARGV[1]) return redis.call('STRLEN', KEYS[1])", Long.class);
        assertThat(redis.execute(script, List.of("k"), "four")).isEqualTo(4);
        assertThat(redis.execute(script, List.of("k"), "seven55")).isEqualTo(7);
        assertThatThrownBy(() ->
                        redis.execute(new DefaultRedisScript<>("return redis.call('NONE')", Long.class), List.of()))
                .isInstanceOf(DataAccessException.class);
    }

    @Test
    void cachesForgetWhatIsEvicted() {
        RedisCacheManager caches = RedisCacheManager.builder(
                        RedisCacheWriter.lockingRedisCacheWriter(connections, BatchStrategies.scan(100)))
                .cacheDefaults(RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMinutes(1)))
                .build();
        caches.afterPropertiesSet();
        Cache cache = Objects.requireNonNull(caches.getCache("people"));
        for (int i = 0; i < 300; i++) {
            cache.put(i, "value" + i);
        }
        assertThat(cache.get(7, String.class)).isEqualTo("value7");
        assertThat(cache.get("new", () -> "loaded")).isEqualTo("loaded");
        assertThat(cache.putIfAbsent(7, "other")).isNotNull();
        cache.evict(7);
        assertThat(cache.get(7)).isNull();
        cache.clear();
        assertThat(redis.keys("*")).isEmpty();
    }

    @Test
    void listenersHearChannelsAndStreams() throws InterruptedException {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        RedisMessageListenerContainer channels = new RedisMessageListenerContainer();
        channels.setConnectionFactory(connections);
        channels.addMessageListener((message, pattern) -> heard.add(message.toString()), new ChannelTopic("news"));
        channels.afterPropertiesSet();
        channels.start();
        redis.convertAndSend("news", "hello");
        assertThat(heard.poll(Await.BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo("hello");
        channels.stop();

        redis.opsForStream().add("events", Map.of("n", "0"));
        redis.opsForStream().createGroup("events", ReadOffset.from("0"), "g");
        StreamMessageListenerContainer<String, MapRecord<String, String, String>> streams =
                StreamMessageListenerContainer.create(
                        connections,
                        StreamMessageListenerContainer.StreamMessageListenerContainerOptions.builder()
                                .pollTimeout(Duration.ofMillis(100))
                                .build());
        streams.receiveAutoAck(
                Consumer.from("g", "c"),
                StreamOffset.create("events", ReadOffset.lastConsumed()),
                entry -> heard.add(entry.getValue().get("n")));
        streams.start();
        redis.opsForStream().add("events", Map.of("n", "1"));
        assertThat(heard.poll(Await.BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo("0");
        assertThat(heard.poll(Await.BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo("1");
        streams.stop();
    }

    @Test
    void repositoriesFindByTheirIndexes() {
        RedisMappingContext mapping = new RedisMappingContext();
        mapping.afterPropertiesSet();
        MappingRedisConverter converter = new MappingRedisConverter(mapping);
        converter.afterPropertiesSet();
        RedisKeyValueAdapter adapter = new RedisKeyValueAdapter(redis, converter);
        adapter.afterPropertiesSet();
        People people =
                new RedisRepositoryFactory(new RedisKeyValueTemplate(adapter, mapping)).getRepository(People.class);
        people.save(new Person("ada", "London", 1815));
        people.save(new Person("grace", "New York", 1906));
        people.save(new Person("alan", "London", 1912));
        assertThat(people.findByCity("London")).extracting(Person::id).containsExactlyInAnyOrder("ada", "alan");
        assertThat(people.findById("grace")).isEqualTo(Optional.of(new Person("grace", "New York", 1906)));
        people.deleteById("ada");
        assertThat(people.findByCity("London")).extracting(Person::id).containsExactly("alan");
        assertThat(people.count()).isEqualTo(2);
    }
}

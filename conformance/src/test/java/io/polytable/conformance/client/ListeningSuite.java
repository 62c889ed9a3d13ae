package io.polytable.conformance.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.support.caching.CacheAccessor;
import io.lettuce.core.support.caching.CacheFrontend;
import io.lettuce.core.support.caching.ClientSideCaching;
import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.RedisProtocol;

/** Jedis and Lettuce as receivers of messages: channels, patterns, keyspace notifications, client-side caching. */
@OnSharedServers
abstract class ListeningSuite {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Target target;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private RespServer server;
    private RedisClient lettuce;

    ListeningSuite(Target target) {
        this.target = target;
    }

    @BeforeAll
    void start(SharedServers servers) {
        server = servers.of(target);
        lettuce = RedisClient.create();
    }

    @AfterAll
    void stop() {
        lettuce.shutdown(Duration.ZERO, PATIENCE);
    }

    @BeforeEach
    void empty() {
        heard.clear();
        try (Jedis jedis = jedis(RedisProtocol.RESP2)) {
            jedis.flushAll();
        }
    }

    private Jedis jedis(RedisProtocol protocol) {
        return new Jedis(
                new HostAndPort("127.0.0.1", server.port()),
                DefaultJedisClientConfig.builder().protocol(protocol).build());
    }

    private RedisURI uri() {
        return RedisURI.builder().withHost("127.0.0.1").withPort(server.port()).build();
    }

    private void speak(ProtocolVersion protocol) {
        lettuce.setOptions(ClientOptions.builder().protocolVersion(protocol).build());
    }

    private String next() throws InterruptedException {
        return String.valueOf(heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void jedisSubscribes(RedisProtocol protocol) throws InterruptedException {
        JedisPubSub listener = new JedisPubSub() {
            @Override
            public void onSubscribe(String channel, int count) {
                heard.add("subscribed " + channel + " " + count);
            }

            @Override
            public void onPSubscribe(String pattern, int count) {
                heard.add("subscribed " + pattern + " " + count);
            }

            @Override
            public void onMessage(String channel, String message) {
                heard.add(channel + ": " + message);
            }

            @Override
            public void onPMessage(String pattern, String channel, String message) {
                heard.add(pattern + " " + channel + ": " + message);
            }
        };
        try (Jedis subscriber = jedis(protocol);
                Jedis publisher = jedis(protocol)) {
            Thread listening = new Thread(() -> subscriber.subscribe(listener, "news", "more"));
            listening.start();
            assertThat(next()).isEqualTo("subscribed news 1");
            assertThat(next()).isEqualTo("subscribed more 2");
            assertThat(publisher.publish("news", "hello")).isOne();
            assertThat(next()).isEqualTo("news: hello");
            listener.psubscribe("n*");
            assertThat(next()).isEqualTo("subscribed n* 3");
            assertThat(publisher.publish("news", "again")).isEqualTo(2);
            assertThat(next()).isEqualTo("news: again");
            assertThat(next()).isEqualTo("n* news: again");
            listener.punsubscribe();
            listener.unsubscribe();
            listening.join(PATIENCE.toMillis());
            assertThat(listening.isAlive()).isFalse();
            assertThat(subscriber.ping()).isEqualTo("PONG");
        }
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void lettuceHearsOfKeys(ProtocolVersion protocol) throws InterruptedException {
        speak(protocol);
        try (StatefulRedisPubSubConnection<String, String> subscriber = lettuce.connectPubSub(uri());
                StatefulRedisConnection<String, String> writer = lettuce.connect(uri())) {
            subscriber.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String pattern, String channel, String message) {
                    heard.add(channel + " " + message);
                }
            });
            writer.sync().configSet("notify-keyspace-events", "KEA");
            subscriber.sync().psubscribe("__key*__:*");
            writer.sync().hset("h", "f", "v");
            assertThat(next()).isEqualTo("__keyspace@0__:h hset");
            assertThat(next()).isEqualTo("__keyevent@0__:hset h");
            writer.sync().hdel("h", "f");
            assertThat(next()).isEqualTo("__keyspace@0__:h hdel");
            assertThat(next()).isEqualTo("__keyevent@0__:hdel h");
            assertThat(next()).isEqualTo("__keyspace@0__:h del");
            assertThat(next()).isEqualTo("__keyevent@0__:del h");
            writer.sync().psetex("k", 20, "v");
            assertThat(next()).endsWith("set");
            assertThat(next()).endsWith("k");
            assertThat(next()).endsWith("expire");
            assertThat(next()).endsWith("k");
            assertThat(next()).isEqualTo("__keyspace@0__:k expired");
            assertThat(next()).isEqualTo("__keyevent@0__:expired k");
            writer.sync().configSet("notify-keyspace-events", "");
        }
    }

    @Test
    void lettuceCachesInTheClient() throws InterruptedException {
        speak(ProtocolVersion.RESP3);
        Map<String, String> cache = new ConcurrentHashMap<>();
        try (StatefulRedisConnection<String, String> reader = lettuce.connect(uri());
                StatefulRedisConnection<String, String> writer = lettuce.connect(uri())) {
            CacheFrontend<String, String> frontend =
                    ClientSideCaching.enable(CacheAccessor.forMap(cache), reader, TrackingArgs.Builder.enabled());
            reader.addListener(message -> heard.add(message.getType()));
            writer.sync().set("k", "1");
            assertThat(frontend.get("k")).isEqualTo("1");
            assertThat(cache).containsEntry("k", "1");
            writer.sync().set("k", "2");
            assertThat(next()).isEqualTo("invalidate");
            assertThat(cache).isEmpty();
            assertThat(frontend.get("k")).isEqualTo("2");
        }
    }
}

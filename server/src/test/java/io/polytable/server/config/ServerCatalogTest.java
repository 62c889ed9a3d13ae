package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.setting.Setting;
import io.polytable.redis.command.config.RedisSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerCatalogTest {
    @Test
    void everyDefaultIsAValue() {
        assertThat(ServerCatalog.get().settings())
                .allSatisfy(key -> assertThat(key.type().parse(key.defaultText()))
                        .as(key.name())
                        .isPresent());
    }

    @Test
    void everyKeySaysWhatItMeans() {
        assertThat(ServerCatalog.get().settings())
                .allSatisfy(key -> assertThat(key.meaning()).as(key.name()).endsWith("."));
    }

    @Test
    void aKeyHasOneSpellingInTheEnvironment() {
        assertThat(RedisSettings.SHARDS.environmentName()).isEqualTo("REDIS_SHARDING_NUM_SHARDS");
        assertThat(ServerCatalog.get()
                        .byName("redis.proto-max-bulk-len")
                        .orElseThrow()
                        .environmentName())
                .isEqualTo("REDIS_PROTO_MAX_BULK_LEN");
    }

    @Test
    void keysOfFacesToComeExistAlready() {
        List<String> names =
                ServerCatalog.get().settings().stream().map(Setting::name).toList();
        assertThat(names)
                .contains(
                        "hbase.enabled",
                        "hbase.port",
                        "hbase.master.port",
                        "zookeeper.port",
                        "zookeeper.quorum",
                        "fluss.bootstrap.servers",
                        "fluss.log.groups");
    }

    @Test
    void suggestsOnlyWhatIsNear() {
        assertThat(ServerCatalog.get().nearestName("redis.prot")).contains("redis.port");
        assertThat(ServerCatalog.get().nearestName("store.durabilty")).contains("store.durability");
        assertThat(ServerCatalog.get().nearestName("colour.scheme")).isEmpty();
    }
}

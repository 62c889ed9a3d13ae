package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    @Test
    void everyDefaultIsAValue() {
        assertThat(SettingCatalog.keys())
                .allSatisfy(key -> assertThat(key.type().parse(key.defaultText()))
                        .as(key.name())
                        .isPresent());
    }

    @Test
    void everyKeySaysWhatItMeans() {
        assertThat(SettingCatalog.keys())
                .allSatisfy(key -> assertThat(key.meaning()).as(key.name()).endsWith("."));
    }

    @Test
    void aKeyHasOneSpellingInTheEnvironment() {
        assertThat(RedisSettings.SHARDS.environmentName()).isEqualTo("REDIS_SHARDING_NUM_SHARDS");
        assertThat(RedisSettings.BULK_BYTES_MAX.environmentName()).isEqualTo("REDIS_PROTO_MAX_BULK_LEN");
    }

    @Test
    void keysOfFacesToComeExistAlready() {
        List<String> names = SettingCatalog.keys().stream().map(Setting::name).toList();
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
        assertThat(SettingCatalog.nearestName("redis.prot")).contains("redis.port");
        assertThat(SettingCatalog.nearestName("store.durabilty")).contains("store.durability");
        assertThat(SettingCatalog.nearestName("colour.scheme")).isEmpty();
    }
}

package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    @Test
    void everyDefaultIsAValue() {
        assertThat(Catalogue.keys())
                .allSatisfy(key -> assertThat(key.type().parse(key.defaultText()))
                        .as(key.name())
                        .isPresent());
    }

    @Test
    void everyKeySaysWhatItMeans() {
        assertThat(Catalogue.keys())
                .allSatisfy(key -> assertThat(key.meaning()).as(key.name()).endsWith("."));
    }

    @Test
    void aKeyHasOneSpellingInTheEnvironment() {
        assertThat(RedisKeys.SHARDS.environmentName()).isEqualTo("REDIS_SHARDING_NUM_SHARDS");
        assertThat(RedisKeys.BULK_BYTES_MAX.environmentName()).isEqualTo("REDIS_PROTO_MAX_BULK_LEN");
    }

    @Test
    void keysOfFacesToComeExistAlready() {
        List<String> names = Catalogue.keys().stream().map(Key::name).toList();
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
        assertThat(Catalogue.nearestName("redis.prot")).contains("redis.port");
        assertThat(Catalogue.nearestName("store.durabilty")).contains("store.durability");
        assertThat(Catalogue.nearestName("colour.scheme")).isEmpty();
    }
}
